package gambit.app.house;

import static org.awaitility.Awaitility.await;

import gambit.app.tool.client.GameView;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.client.PlayerClient.InviteOptions;
import gambit.app.tool.client.PlayerListener;
import gambit.app.tool.client.RelayInfo;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.engine.Engine;
import gambit.chess.engine.Level;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client that invites a bot and plays a number of moves, chosen by the engine with few positions
 * each; then it waits. None of its first moves ends the game. Its moves are chosen on the client's
 * thread, which tests may block.
 */
public final class EnginePlayer implements PlayerListener, AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int NODES = 1500;

  /** A weak opponent can be mated in four moves; tests count on more. */
  private static final int MOVES_WITHOUT_END = 10;

  private final Engine engine = new Engine(new Random(5));
  private final PlayerClient client;
  private volatile int maxMoves;
  private String answered = "";
  private volatile @Nullable GameView game;
  private volatile RelayInfo relay;
  final List<Event> rejections = new CopyOnWriteArrayList<>();

  /**
   * Connects.
   *
   * @param maxMoves the number of moves that this player makes
   */
  public EnginePlayer(URI url, int maxMoves) throws Exception {
    this(url, url.toString(), maxMoves);
  }

  EnginePlayer(URI url, String loginUrl, int maxMoves) throws Exception {
    this(url, loginUrl, Signer.random(), maxMoves);
  }

  EnginePlayer(URI url, String loginUrl, Signer key, int maxMoves) throws Exception {
    this.maxMoves = maxMoves;
    client = new PlayerClient(new RelayPlace(url, loginUrl, null), key, this);
    relay = client.connect().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  RelayInfo relay() {
    return relay;
  }

  PlayerClient client() {
    return client;
  }

  public EnginePlayer inviteHouse(int level) throws Exception {
    PubKey house = relay.house();
    if (house == null) {
      throw new AssertionError("the relay names no house player");
    }
    return invite(house, level, "300+3");
  }

  EnginePlayer invite(PubKey bot, int level, String time) throws Exception {
    InviteOptions terms =
        new InviteOptions(bot, TimeControl.parse(time).orElseThrow(), null, level);
    client.invite(terms).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    return this;
  }

  /** Makes moves up to another number, from the next change of the game or connection on. */
  void setMaxMoves(int moves) {
    maxMoves = moves;
  }

  /** The game as last known. */
  public GameView game() {
    GameView last = game;
    if (last == null) {
      throw new AssertionError("no game");
    }
    return last;
  }

  EnginePlayer awaitGame() {
    await().atMost(TIMEOUT).until(() -> game != null);
    return this;
  }

  /** Waits until this player is to move after so many moves of its own. */
  public EnginePlayer awaitMoves(int moves) {
    awaitGame();
    await()
        .atMost(TIMEOUT)
        .until(() -> game().isOurTurn() && game().position().fullmoveNumber() > moves);
    return this;
  }

  EnginePlayer awaitEnd() {
    awaitGame();
    await().atMost(TIMEOUT).until(() -> !game().isRunning());
    return this;
  }

  @Override
  public void connected(RelayInfo info) {
    relay = info;
    answered = "";
  }

  @Override
  public void gameBegan(GameView begun) {
    game = begun;
    move(begun);
  }

  @Override
  public void gameChanged(GameView changed) {
    game = changed;
    move(changed);
  }

  @Override
  public void gameEnded(GameView ended) {
    game = ended;
  }

  @Override
  public void inviteRejected(Event rejection) {
    rejections.add(rejection);
  }

  private void move(GameView view) {
    if (view.isOurTurn()
        && view.position().outcome().isEmpty()
        && view.position().fullmoveNumber() <= maxMoves
        && !view.position().fen().equals(answered)) {
      answered = view.position().fen();
      client.move(view, choose(view.position()), false);
    }
  }

  private Move choose(Position position) {
    Move best = engine.think(position, Level.FIVE, NODES, () -> false).move();
    if (position.fullmoveNumber() > MOVES_WITHOUT_END || !ends(position, best)) {
      return best;
    }
    return position.legalMoves().stream()
        .filter(move -> !ends(position, move))
        .findFirst()
        .orElse(best);
  }

  private static boolean ends(Position position, Move move) {
    return position.play(move).orElseThrow().outcome().isPresent();
  }

  @Override
  public void close() {
    client.close();
  }
}
