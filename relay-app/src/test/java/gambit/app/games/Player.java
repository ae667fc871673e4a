package gambit.app.games;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.Request;
import gambit.chess.game.Game;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.game.Referee;
import gambit.chess.game.Step;
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
 * Somebody who plays at random in one of the dialects, and sends one thing at a time. After a
 * restart of the relay it comes back to its game, and sends some of what it has sent before again.
 * Its club's thread only.
 */
final class Player {
  private static final List<String> CONTROLS = List.of("600+2", "1/600", "-", "900");

  /** Up to that age an event is sent again; the relay takes older ones. */
  private static final long FRESH_SECONDS = 200;

  private static final String DUPLICATE = "true duplicate: ";
  private static final String COUNTED = "invalid: illegal move ";
  private static final Map<String, Integer> KINDS = Map.of("resign", 5003, "abort", 5000);

  private final Club club;
  private final Signer key;
  private final boolean ephemeral;
  private final TimeControl control;
  private final Random random;

  /** What is answered a second time, by the event's id, with how the answer has to begin. */
  private final Map<String, String> again = new HashMap<>();

  private @Nullable Score game;
  private Side side = Side.WHITE;
  private State state = State.NONE;

  /** What waits for its answer. */
  private @Nullable Sent asked;

  /** Whether the relay has said OK to that, which in the ephemeral dialect it does in any case. */
  private boolean handled;

  /** What was answered last, and how. */
  private @Nullable Event done;

  private String answer = "";

  private @Nullable Event connect;
  private boolean searches;
  private boolean returns;
  private boolean isShownAgain;
  private boolean triesAgain;

  /** Whether the draft's numbered frames come over this connection. */
  private boolean numbered;

  private String announced = "";
  private String colour = "";
  private String framed = "";

  Player(int number, Club club, long seed) {
    this.club = club;
    this.key = Keys.of("player " + number);
    this.ephemeral = number % 2 == 1;
    this.control = TimeControl.parse(CONTROLS.get(number / 2 % CONTROLS.size())).orElseThrow();
    this.random = new Random(seed);
  }

  String pubkey() {
    return key.pubkey().hex();
  }

  /** Whether it is not known yet if the relay knows the player again. */
  boolean returns() {
    return returns;
  }

  boolean isEphemeral() {
    return ephemeral;
  }

  TimeControl control() {
    return control;
  }

  /** Its game, or null. */
  @Nullable Score game() {
    return game;
  }

  /** Whether it has something to do, or waits for something. */
  boolean isBusy() {
    return !isTired() || game != null || !again.isEmpty();
  }

  private boolean isTired() {
    return club.arena().mood() == Arena.Mood.TIRED;
  }

  /** The relay was started again and shows a game of the player. */
  void goesOn(State standing) {
    if (game == null) {
      enter(standing, true);
    }
    game.goesOn(side, standing);
    state = standing;
  }

  /** The relay was started again, does not show the player's game, and has these records of it. */
  void isOver(List<GameRecord> records) {
    game.isOver(records);
  }

  /** Begins to play over a new connection. */
  void begin() {
    again.clear();
    handled = false;
    numbered = false;
    framed = "";
    boolean searched = searches;
    searches = false;
    returns = false; // it may have had no answer before the relay was killed
    isShownAgain = false;
    triesAgain = false;
    if (game == null) {
      Score known = club.arena().game(announced);
      assertThat(announced.isEmpty() || (known != null && known.isOver()))
          .as("what was announced goes on, or is over")
          .isTrue();
      announced = "";
      if (searched && !isTired() && random.nextBoolean()) {
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

  /** Sends what has no answer once more, or gives it up. */
  private void settle() {
    Sent unanswered = asked;
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

  /** Whether it answers the state that stands, the only one that a restarted relay knows. */
  private boolean mayStand(Sent sent) {
    return sent.known() == game.known(side) && !isTired() && random.nextBoolean();
  }

  /** Sends what was answered last once more. */
  private void repeat() {
    if (done != null && done.createdAt() > seconds() - FRESH_SECONDS && random.nextBoolean()) {
      expect(done, answer);
    }
  }

  private void expect(Event event, String answer) {
    again.put(event.id().hex(), answer);
    publish(event);
  }

  /** An OK has come. */
  void answered(String id, boolean accepted, String text) {
    String expected = again.remove(id);
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
        comeBack();
      }
    } else {
      assertThat(accepted).as(text).isTrue();
      assertThat(isShownAgain).as("was shown the game first").isFalse();
      colour = text;
      assertThat(game == null || text.equals(State.word(side))).as("colour").isTrue();
    }
    triesAgain = false;
  }

  private void comeBack() {
    if (game.isOver(side)) { // it has ended meanwhile, so that this was a search
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
      handled = true; // whether it has had an effect is told next
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

  /** What it has sent was refused (in the ephemeral dialect, by an event). */
  void refused(String text) {
    assertThat(asked).as("what is refused: " + text).isNotNull();
    game.refused(side, text);
    asked = null;
    handled = false;
    act();
  }

  /** A 20301 has come. */
  void told(String content) {
    if (content.startsWith("started:")) {
      found(content.substring("started:".length()));
    } else {
      assertThat(content).isEqualTo("queued");
    }
  }

  /** A game was announced, or the own one once more. */
  void found(String id) {
    if (game == null) {
      announced = id;
    } else {
      assertThat(id).isEqualTo(game.id());
    }
  }

  /** A game has come once more in the draft's dialect: after a restart, or a takeback. */
  void resumed(String id, String moves, List<Long> clocks) {
    if (isShownAgain) {
      assertThat(id).isEqualTo(game.id());
      game.resumed(side, moves, clocks);
      isShownAgain = false;
    }
  }

  /** The opponent's move has come in the draft's frame. */
  void framed(String move) {
    framed = move;
  }

  /** A state of the player's game has come. */
  void shown(State next) {
    if (next.id().equals(state.id())) {
      return; // as an answer to somebody who has come back, or is behind
    }
    if (!next.end().isEmpty() && (game == null || !next.game().equals(game.id()))) {
      // It has waited for one of its players, who was away when the game ended.
      assertThat(next.end()).isEqualTo(State.endOf(club.arena().game(next.game()).end()));
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

  private void enter(State first, boolean before) {
    assertThat(searches).as("searches, and finds " + first).isTrue();
    game = club.arena().game(first, before);
    side = Side.values()[first.players().indexOf(pubkey())];
    club.meets(first.players().get(side.opponent().index()), this);
    searches = false;
    state = State.NONE;
    assertThat(announced).isIn("", game.id());
    assertThat(colour).isIn("", State.word(side));
  }

  private void leave() {
    game = null;
    announced = "";
    colour = "";
  }

  /** Does what it likes, if it is not waiting for an answer. */
  void act() {
    if (asked != null || returns || !club.isReady()) {
      return;
    }
    if (game == null) {
      if (!searches && !isTired()) {
        searches = true;
        connect();
      }
      return;
    }
    Optional<Game> seen = game.seenBy(side);
    if (seen.isPresent() && seen.get() instanceof Playing playing) {
      choose(playing);
    } else if (seen.isPresent()) {
      leave();
      act();
    }
  }

  private void connect() {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("time", control.text()));
    connect = ephemeral ? sign(20300, "", tags) : sign(5000, "connect", tags);
    publish(connect);
  }

  private void choose(Playing playing) {
    boolean inTurn = playing.turn() == side;
    boolean fickle = club.arena().mood() == Arena.Mood.FICKLE;
    List<Request.InGame> wishes = new ArrayList<>();
    if (isTired() || (fickle && oneIn(60))) {
      wishes.add(new Request.Resign());
    }
    if (fickle && oneIn(4)) {
      wishes.add(ephemeral ? new Request.Draw() : new Request.Accept());
    }
    if (oneIn(30)) {
      wishes.add(ephemeral ? new Request.Draw() : new Request.Offer());
    }
    if (oneIn(30)) {
      wishes.add(new Request.Takeback());
    }
    if (playing.isAsked(side, Proposal.Kind.TAKEBACK) && oneIn(2)) {
      wishes.add(ephemeral ? new Request.Takeback() : new Request.Accept());
    }
    if (!ephemeral && oneIn(4)) {
      wishes.add(new Request.Decline());
    }
    if (!ephemeral && fickle && side == Side.WHITE && oneIn(10)) { // both would end it alike
      wishes.add(new Request.Abort());
    }
    Optional<Request.InGame> wish =
        wishes.stream().filter(request -> isGranted(request, playing)).findFirst();
    if (wish.isPresent()) {
      send(wish.get());
    } else if (inTurn) {
      move(playing, fickle);
    }
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** In {@link Arena.Mood#PATIENT} nothing that ends the game is wished for. */
  private boolean isGranted(Request.InGame request, Playing playing) {
    return Referee.decide(playing, request.by(side, playing), 0) instanceof Step step
        && (step.next() instanceof Playing || club.arena().mood() != Arena.Mood.PATIENT);
  }

  private void move(Playing playing, boolean fickle) {
    Proposal proposal = playing.proposal();
    boolean mayGoBack = proposal != null && proposal.kind() == Proposal.Kind.TAKEBACK;
    boolean mayErr = !ephemeral && !mayGoBack && (fickle || !game.hasErred(side));
    if (mayErr && oneIn(30)) {
      send(anyMove(playing), List.of(), true);
    } else {
      List<Move> moves = playing.position().legalMoves();
      boolean numbers = mayGoBack || random.nextBoolean(); // it could be illegal two plies before
      List<List<String>> ply = List.of(List.of("ply", "" + (state.ply() + 1)));
      send(moves.get(random.nextInt(moves.size())), numbers ? ply : List.of(), false);
    }
  }

  /** One that cannot be played. */
  private Move anyMove(Playing playing) {
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
    String word = request.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    int kind = ephemeral ? 20303 : KINDS.getOrDefault(word, 5002);
    send(sign(kind, word, about()), request, false);
  }

  /** Tags that name the game; there need not be any. */
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
    int start = club.arena().starts().count();
    asked = new Sent(event, request, illegal, System.nanoTime(), start, game.known(side));
    game.sent(side, asked);
    publish(event);
  }

  private void publish(Event event) {
    club.publish(this, event);
  }

  private Event sign(int kind, String content, List<List<String>> tags) {
    List<List<String>> all = new ArrayList<>(tags);
    if (ephemeral) {
      all.add(List.of("p", club.relay()));
    }
    all.add(List.of("nonce", Long.toHexString(random.nextLong())));
    return key.sign(seconds(), kind, new Tags(all), content);
  }

  private static long seconds() {
    return System.currentTimeMillis() / 1000;
  }
}
