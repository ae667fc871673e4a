package gambit.app.tool.client;

import static org.awaitility.Awaitility.await;

import gambit.chess.rules.Move;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A client that remembers its news. Any thread. */
public final class RecordingPlayer implements PlayerListener, AutoCloseable {
  private static final long TIMEOUT_SECONDS = 120;

  public final PlayerClient client;
  public final List<ReceivedInvite> invites = new CopyOnWriteArrayList<>();
  final List<Event> rejections = new CopyOnWriteArrayList<>();
  final List<String> comments = new CopyOnWriteArrayList<>();
  final List<String> notices = new CopyOnWriteArrayList<>();
  public final List<GameView> began = new CopyOnWriteArrayList<>();
  private volatile @Nullable GameView latest;
  private volatile int connections;
  private volatile int losses;

  public RecordingPlayer(URI url) {
    this(url, Signer.random());
  }

  public RecordingPlayer(RelayPlace relay) {
    this(relay, Signer.random());
  }

  RecordingPlayer(URI url, Signer key) {
    this(RelayPlace.of(url), key);
  }

  RecordingPlayer(RelayPlace relay, Signer key) {
    client = new PlayerClient(relay, key, this);
    of(client.connect());
  }

  /** The value of a result, which must not fail. */
  public static <T> T of(CompletableFuture<T> result) {
    try {
      return result.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The failure of a result. */
  static Throwable failureOf(CompletableFuture<?> result) {
    try {
      throw new AssertionError("not refused: " + result.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (TimeoutException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public GameView game() {
    GameView game = latest;
    if (game == null) {
      throw new AssertionError("no game");
    }
    return game;
  }

  public GameView awaitGame() {
    await().until(() -> latest != null);
    return game();
  }

  /** Waits until the game has so many moves and this player is to move. */
  public RecordingPlayer awaitTurn(int plies) {
    await().until(() -> latest != null && game().isOurTurn() && game().moves().size() == plies);
    return this;
  }

  public void awaitPlies(int plies) {
    await().until(() -> game().moves().size() == plies);
  }

  public void awaitEnd() {
    await().until(() -> !game().isRunning());
  }

  public void awaitConnections(int count) {
    await().until(() -> connections >= count);
  }

  public void awaitLosses(int count) {
    await().until(() -> losses >= count);
  }

  CompletableFuture<String> tryMove(String uci) {
    return client.move(game(), Move.parse(uci).orElseThrow(), false);
  }

  public void move(String uci) {
    of(tryMove(uci));
  }

  @Override
  public void connected(RelayInfo relay) {
    connections++;
  }

  @Override
  public void disconnected(String reason, Duration delay) {
    losses++;
  }

  @Override
  public void gameBegan(GameView game) {
    began.add(game);
    latest = game;
  }

  @Override
  public void gameChanged(GameView game) {
    latest = game;
  }

  @Override
  public void gameEnded(GameView game) {
    latest = game;
  }

  @Override
  public void invited(ReceivedInvite invite) {
    invites.add(invite);
  }

  @Override
  public void inviteRejected(Event rejection) {
    rejections.add(rejection);
  }

  @Override
  public void commented(GameView game, Event comment) {
    comments.add(comment.content());
  }

  @Override
  public void noticed(String text) {
    notices.add(text);
  }

  @Override
  public void close() {
    client.close();
  }
}
