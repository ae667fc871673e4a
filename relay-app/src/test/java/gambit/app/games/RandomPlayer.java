package gambit.app.games;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.Request;
import gambit.chess.game.Command;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Proposal;
import gambit.chess.game.Referee;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A player that plays at random in one dialect and has at most one unanswered request. After a
 * restart of the relay it returns to its game and sends some of its earlier events again. Used by
 * its connection's thread only.
 */
final class RandomPlayer {
  private static final List<String> CONTROLS = List.of("600+2", "1/600", "86400", "900");

  /** The greatest age of an event that is sent again; the relay accepts older ones, too. */
  private static final long FRESH_SECONDS = 200;

  private static final String DUPLICATE = "true duplicate: ";
  private static final String COUNTED = "invalid: illegal move ";
  private static final Map<String, Integer> KINDS = Map.of("resign", 5003, "abort", 5000);

  private final PlayerConnection connection;
  private final Signer key;
  private final boolean ephemeral;
  private final TimeControl control;
  private final boolean isRated;
  private final Random random;

  /** The beginnings of the expected answers to repeated events, by event id. */
  private final Map<String, String> expectedRepeats = new HashMap<>();

  private @Nullable ObservedGame game;
  private Side side = Side.WHITE;
  private GameState state = GameState.NONE;

  /** The unanswered request. */
  private @Nullable SentRequest asked;

  /** Whether the relay has answered OK to it, which in the ephemeral dialect is no acceptance. */
  private boolean handled;

  /** The event answered last. */
  private @Nullable Event done;

  private String answer = "";

  private @Nullable Event connect;
  private boolean searches;
  private boolean returns;
  private boolean isShownAgain;
  private boolean triesAgain;

  /** Whether this connection receives the numbered EVENT messages of NIP-100. */
  private boolean numbered;

  private String announced = "";
  private String colour = "";
  private String framed = "";

  RandomPlayer(int number, PlayerConnection connection, long seed) {
    this.connection = connection;
    this.key = Keys.of("player " + number);
    this.ephemeral = number % 2 == 1;
    this.control = TimeControl.parse(CONTROLS.get(number / 2 % CONTROLS.size())).orElseThrow();
    this.isRated = number / 2 % 2 == 0; // as all who search for the same time control
    this.random = new Random(seed);
  }

  String pubkey() {
    return key.pubkey().hex();
  }

  /** Whether the player has not been recognized by the restarted relay yet. */
  boolean returns() {
    return returns;
  }

  boolean isEphemeral() {
    return ephemeral;
  }

  TimeControl control() {
    return control;
  }

  boolean isRated() {
    return isRated;
  }

  /** The current game, or null. */
  @Nullable ObservedGame game() {
    return game;
  }

  /** Whether the player has something to do or to wait for. */
  boolean isBusy() {
    return !isResigning() || game != null || !expectedRepeats.isEmpty();
  }

  private boolean isResigning() {
    return connection.randomGames().behaviour() == RandomGames.Behaviour.RESIGNING;
  }

  /** Handles a running game of the player after a restart of the relay. */
  void resumeRunning(GameState standing) {
    if (game == null) {
      enter(standing, true);
    }
    game.resumeRunning(side, standing);
    state = standing;
  }

  /** Handles a missing game of the player after a restart of the relay, with its records. */
  void resumeFinished(List<GameRecord> records) {
    game.resumeFinished(records);
  }

  /** Starts to play over a new connection. */
  void begin() {
    expectedRepeats.clear();
    handled = false;
    numbered = false;
    framed = "";
    boolean searched = searches;
    searches = false;
    returns = false; // the relay may have been killed before it answered
    isShownAgain = false;
    triesAgain = false;
    if (game == null) {
      ObservedGame known = connection.randomGames().game(announced);
      assertThat(announced.isEmpty() || (known != null && known.isOver()))
          .as("an announced game that is not shown is over")
          .isTrue();
      announced = "";
      if (searched && !isResigning() && random.nextBoolean()) {
        triesAgain = true;
        searches = true;
        publish(connect);
      }
    } else if (game.isOver()) {
      settle();
      leave();
    } else {
      returns = true;
      connect();
    }
    repeat();
    act();
  }

  /** Sends the unanswered request again, or drops it. */
  private void settle() {
    SentRequest unanswered = asked;
    asked = null;
    if (unanswered == null) {
      return;
    }
    if (!game.isPending(side)) {
      expect(unanswered.event(), unanswered.illegal() ? "false " + COUNTED : DUPLICATE);
    } else if (!game.isOver() && (unanswered.illegal() || mayStand(unanswered))) {
      send(unanswered.event(), unanswered.request(), unanswered.illegal());
    } else {
      game.forget(side);
    }
  }

  /** Whether it refers to the current state, the only one that a restarted relay knows. */
  private boolean mayStand(SentRequest sent) {
    return sent.known() == game.known(side) && !isResigning() && random.nextBoolean();
  }

  /** Sends the event answered last again. */
  private void repeat() {
    if (done != null && done.createdAt() > seconds() - FRESH_SECONDS && random.nextBoolean()) {
      expect(done, answer);
    }
  }

  private void expect(Event event, String answer) {
    expectedRepeats.put(event.id().hex(), answer);
    publish(event);
  }

  /** Handles an OK. */
  void answered(String id, boolean accepted, String text) {
    String expected = expectedRepeats.remove(id);
    if (expected != null) {
      assertThat(accepted + " " + text).as("the second answer to " + id).startsWith(expected);
    } else if (connect != null && connect.id().hex().equals(id)) {
      connected(accepted, text);
    } else {
      assertThat(asked).as("what is answered: " + text).isNotNull();
      assertThat(asked.event().id().hex()).isEqualTo(id);
      answered(accepted, text);
    }
    act();
  }

  private void connected(boolean accepted, String text) {
    if (triesAgain && text.equals("invalid: already used, sign a new event")) {
      searches = false;
    } else if (text.isEmpty()) {
      assertThat(accepted).isTrue();
      numbered = !ephemeral;
      if (returns) {
        returns = false;
        resume();
      }
    } else {
      assertThat(accepted).as(text).isTrue();
      assertThat(isShownAgain).as("was shown the game first").isFalse();
      colour = text;
      assertThat(game == null || text.equals(GameState.word(side))).as("colour").isTrue();
    }
    triesAgain = false;
  }

  private void resume() {
    if (game.isOver(side)) { // the game has ended meanwhile, so the request was a search
      asked = null;
      game.forget(side);
      leave();
      searches = true;
    } else {
      isShownAgain = true;
      settle();
    }
  }

  private void answered(boolean accepted, String text) {
    if (ephemeral) {
      assertThat(accepted).as(text).isTrue();
      handled = true; // its effect follows in the next state or refusal
    } else if (accepted) {
      game.accepted(side);
      isDone(DUPLICATE);
    } else if (text.startsWith(COUNTED)) {
      game.counted(side, text.charAt(text.length() - 7) - '0');
      isDone("false " + text);
    } else {
      refused(text);
    }
  }

  private void isDone(String answer) {
    this.done = asked.event();
    this.answer = answer;
    asked = null;
    handled = false;
  }

  /** Handles a refusal of the request (in the ephemeral dialect, an event). */
  void refused(String text) {
    assertThat(asked).as("what is refused: " + text).isNotNull();
    game.refused(side, text);
    asked = null;
    handled = false;
    act();
  }

  /** Handles an event of kind 20301. */
  void told(String content) {
    if (content.startsWith("started:")) {
      found(content.substring("started:".length()));
    } else {
      assertThat(content).isEqualTo("queued");
    }
  }

  /** Handles the announcement of a game, or a repeated one of the current game. */
  void found(String id) {
    if (game == null) {
      announced = id;
    } else {
      assertThat(id).isEqualTo(game.id());
    }
  }

  /** Handles the repeated announcement of NIP-100 after a restart or a takeback. */
  void resumed(String id, String moves, List<Long> clocks) {
    if (isShownAgain) {
      assertThat(id).isEqualTo(game.id());
      game.resumed(side, moves, clocks);
      isShownAgain = false;
    }
  }

  /** Handles the opponent's move in the numbered message of NIP-100. */
  void framed(String move) {
    framed = move;
  }

  /** Handles a state of the player's game. */
  void shown(GameState next) {
    if (next.id().equals(state.id())) {
      return; // sent again for a player that has returned or was behind
    }
    if (!next.end().isEmpty() && (game == null || !next.game().equals(game.id()))) {
      // An ending that was kept for a player who was away when the game ended.
      assertThat(next.end())
          .isEqualTo(GameState.endOf(connection.randomGames().game(next.game()).end()));
      return;
    }
    if (game == null) {
      enter(next, false);
    }
    assertThat(next.game()).isEqualTo(game.id());
    boolean opponentMoved = next.ply() == state.ply() + 1 && next.ply() % 2 == side.index();
    if (numbered && opponentMoved && next.ply() > 0) {
      assertThat(framed).as("the draft's frame before " + next).isEqualTo(next.move());
    }
    game.shown(side, next);
    state = next;
    if (handled && !game.isPending(side)) {
      isDone(DUPLICATE);
    }
    act();
  }

  private void enter(GameState first, boolean before) {
    assertThat(searches).as("searches, and finds " + first).isTrue();
    game = connection.randomGames().game(first, before);
    side = Side.values()[first.players().indexOf(pubkey())];
    connection.meets(first.players().get(side.opponent().index()), this);
    searches = false;
    state = GameState.NONE;
    assertThat(announced).isIn("", game.id());
    assertThat(colour).isIn("", GameState.word(side));
  }

  private void leave() {
    game = null;
    announced = "";
    colour = "";
  }

  /** Chooses and sends a request, unless one is unanswered. */
  void act() {
    if (asked != null || returns || !connection.isReady()) {
      return;
    }
    if (game == null) {
      if (!searches && !isResigning()) {
        searches = true;
        connect();
      }
      return;
    }
    Optional<Game> seen = game.seenBy(side);
    if (seen.isPresent() && seen.get() instanceof OngoingGame playing) {
      choose(playing);
    } else if (seen.isPresent()) {
      leave();
      act();
    }
  }

  private void connect() {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("time", control.text()));
    tags.add(List.of("rated", "" + isRated));
    connect = ephemeral ? sign(20300, "", tags) : sign(5000, "connect", tags);
    publish(connect);
  }

  private void choose(OngoingGame playing) {
    boolean inTurn = playing.turn() == side;
    boolean withEndings =
        connection.randomGames().behaviour() == RandomGames.Behaviour.WITH_ENDINGS;
    List<Request.InGame> candidates = new ArrayList<>();
    if (isResigning() || (withEndings && oneIn(60))) {
      candidates.add(new Request.Plain(Command.Type.RESIGN));
    }
    if (withEndings && oneIn(4)) {
      candidates.add(ephemeral ? new Request.Draw() : new Request.Plain(Command.Type.ACCEPT));
    }
    if (oneIn(30)) {
      candidates.add(ephemeral ? new Request.Draw() : new Request.Plain(Command.Type.OFFER_DRAW));
    }
    if (!isRated && oneIn(30)) {
      candidates.add(new Request.Plain(Command.Type.TAKEBACK));
    }
    if (playing.isAsked(side, Proposal.Type.TAKEBACK) && oneIn(2)) {
      candidates.add(
          ephemeral
              ? new Request.Plain(Command.Type.TAKEBACK)
              : new Request.Plain(Command.Type.ACCEPT));
    }
    if (!ephemeral && oneIn(4)) {
      candidates.add(new Request.Plain(Command.Type.DECLINE));
    }
    if (!ephemeral
        && withEndings
        && side == Side.WHITE
        && oneIn(10)) { // the aborts of both players would be indistinguishable
      candidates.add(new Request.Plain(Command.Type.ABORT));
    }
    Optional<Request.InGame> chosen =
        candidates.stream().filter(request -> isGranted(request, playing)).findFirst();
    if (chosen.isPresent()) {
      send(chosen.get());
    } else if (inTurn) {
      move(playing, withEndings);
    }
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** Whether the referee grants the request and the behaviour allows its effect. */
  private boolean isGranted(Request.InGame request, OngoingGame playing) {
    return Referee.decide(playing, request.by(side, playing), 0) instanceof Step step
        && (step.next() instanceof OngoingGame
            || connection.randomGames().behaviour() != RandomGames.Behaviour.WITHOUT_ENDINGS);
  }

  private void move(OngoingGame playing, boolean withEndings) {
    Proposal proposal = playing.proposal();
    boolean isTakebackOffered = proposal != null && proposal.type() == Proposal.Type.TAKEBACK;
    boolean maySendIllegalMove =
        !ephemeral && !isTakebackOffered && (withEndings || !game.hasPlayedIllegalMove(side));
    if (maySendIllegalMove && oneIn(30)) {
      send(anyMove(playing), List.of(), true);
    } else {
      List<Move> moves = playing.position().legalMoves();
      boolean numbers =
          isTakebackOffered
              || random
                  .nextBoolean(); // without the number, it could be an illegal move of an earlier
      // ply
      List<List<String>> ply = List.of(List.of("ply", "" + (state.ply() + 1)));
      send(moves.get(random.nextInt(moves.size())), numbers ? ply : List.of(), false);
    }
  }

  /** A random illegal move. */
  private Move anyMove(OngoingGame playing) {
    Move move = new Move(random.nextInt(64), random.nextInt(64), null);
    return playing.position().play(move).isEmpty() ? move : anyMove(playing);
  }

  private void send(Move move, List<List<String>> more, boolean illegal) {
    List<List<String>> tags = about();
    tags.addAll(more);
    Event event = sign(ephemeral ? 20303 : 5001, move.uci(), tags);
    send(event, new Request.Play(position -> Optional.of(move), false), illegal);
  }

  private void send(Request.InGame request) {
    String name =
        request instanceof Request.Plain plain
            ? plain.type().name().replace("_DRAW", "")
            : request.getClass().getSimpleName();
    String word = name.toLowerCase(Locale.ROOT);
    int kind = ephemeral ? 20303 : KINDS.getOrDefault(word, 5002);
    send(sign(kind, word, about()), request, false);
  }

  /** Some of the tags that name the game, or none: they are optional. */
  private List<List<String>> about() {
    List<List<String>> tags = new ArrayList<>();
    if (random.nextBoolean()) {
      tags.add(ephemeral ? List.of("d", game.id()) : List.of("e", game.id(), "", "root"));
    }
    if (ephemeral && random.nextBoolean()) {
      tags.add(List.of("e", state.id()));
    }
    return tags;
  }

  private void send(Event event, Request.InGame request, boolean illegal) {
    int start = connection.randomGames().starts().count();
    asked = new SentRequest(event, request, illegal, System.nanoTime(), start, game.known(side));
    game.sent(side, asked);
    publish(event);
  }

  private void publish(Event event) {
    connection.publish(this, event);
  }

  private Event sign(int kind, String content, List<List<String>> tags) {
    List<List<String>> all = new ArrayList<>(tags);
    if (ephemeral) {
      all.add(List.of("p", connection.relay()));
    }
    all.add(List.of("nonce", Long.toHexString(random.nextLong())));
    return key.sign(seconds(), kind, new Tags(all), content);
  }

  private static long seconds() {
    return System.currentTimeMillis() / 1000;
  }
}
