package gambit.app.games;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.FinishedGame;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Referee;
import gambit.chess.game.Result;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The model of one game, from the messages that its two players send and receive: the steps that
 * the relay has acknowledged or shown, and the unanswered requests. Each later message of the relay
 * must follow from these. Thread-safe, because each player has its own thread.
 *
 * <p>A step is added at the first message about it. The order of these messages is the order of the
 * commits, because both players' connections receive every step in that order.
 */
final class ObservedGame {
  /** The possible orders of unanswered requests that have taken effect, the shortest first. */
  private static final List<List<Side>> ORDERS =
      List.of(
          List.of(),
          List.of(Side.WHITE),
          List.of(Side.BLACK),
          List.of(Side.WHITE, Side.BLACK),
          List.of(Side.BLACK, Side.WHITE));

  /** The text in the refusal of a proposal that follows another one. */
  private static final String TOO_OFTEN = "one ";

  private final RelayStarts starts;
  private final String id;
  private final TimeControl control;
  private final boolean isRated;
  private final int begun;
  private final List<Entry> entries = new ArrayList<>();
  private final @Nullable SentRequest[] pending = new @Nullable SentRequest[2];
  private final int[] shown = {-1, -1};

  /** Illegal moves of each side, which are in no entry because no state shows them. */
  private final int[] counted = {0, 0};

  private int settled;

  /** Whether a proposal may have ended with a move before a player was shown it. */
  private boolean hasAmbiguousProposal;

  /** A step of the game, with the state that the relay has shown, if any. */
  private static final class Entry {
    private final Game game;
    private final @Nullable SentRequest by;
    private @Nullable GameState state;
    private @Nullable ExpectedClocks clocks;

    Entry(Game game, @Nullable SentRequest by) {
      this.game = game;
      this.by = by;
    }
  }

  /**
   * Creates the model of a game before its first move.
   *
   * @param begun the start of the relay during which the game began
   */
  ObservedGame(String id, TimeControl control, boolean isRated, RelayStarts starts, int begun) {
    this.id = id;
    this.control = control;
    this.isRated = isRated;
    this.starts = starts;
    this.begun = begun;
    this.settled = starts.count();
    OngoingGame start = OngoingGame.start(Position.initial(), TimeControl.UNTIMED, 0, 0, 0);
    entries.add(new Entry(start, null));
  }

  String id() {
    return id;
  }

  private Entry last() {
    return entries.get(entries.size() - 1);
  }

  /** The game, if the player has been shown its last known step. */
  synchronized Optional<Game> seenBy(Side side) {
    boolean all = shown[side.index()] == entries.size() - 1 && last().state != null;
    return all ? Optional.of(last().game) : Optional.empty();
  }

  /** The number of steps that the player has been shown. */
  synchronized int known(Side side) {
    return shown[side.index()] + 1;
  }

  synchronized void sent(Side side, SentRequest sent) {
    pending[side.index()] = sent;
  }

  /** Whether the player has an unanswered request that is not known to have taken effect. */
  synchronized boolean isPending(Side side) {
    return pending[side.index()] != null;
  }

  /** The relay has accepted the player's request. */
  synchronized void accepted(Side side) {
    SentRequest sent = pending[side.index()];
    if (sent != null) {
      append(
          after(last().game, side, sent).orElseThrow(() -> unexpected("it accepted " + sent)),
          sent);
      pending[side.index()] = null;
    }
  }

  /** The relay has refused the player's request; the opponent's request must have come before. */
  synchronized void refused(Side side, String reason) {
    SentRequest sent = pending[side.index()];
    boolean crossed =
        sent != null && (entries.size() > sent.known() || pending[side.opponent().index()] != null);
    if (!crossed && !(hasAmbiguousProposal && reason.contains(TOO_OFTEN))) {
      throw unexpected("it refused " + sent + " as " + reason);
    }
    pending[side.index()] = null;
  }

  /** The relay has counted the first or second illegal move of the player. */
  synchronized void counted(Side side, int count) {
    SentRequest sent = pending[side.index()];
    boolean known = isOver() && end().termination() == Termination.ILLEGALMOVES && count == 2;
    boolean next = sent != null && sent.illegal() && count == counted[side.index()] + 1;
    if (!known && !next) {
      throw unexpected("it counted " + count + " with " + sent);
    }
    if (!known && count == 2) {
      append(after(last().game, side, sent).orElseThrow(), sent);
    }
    counted[side.index()] = count;
    pending[side.index()] = null;
  }

  /** The relay has shown the next step to a player. */
  synchronized void shown(Side to, GameState state) {
    int next = ++shown[to.index()];
    if (next == entries.size()) {
      apply(state);
    }
    see(next, state);
  }

  private void apply(GameState state) {
    for (Side side : Side.values()) {
      SentRequest sent = pending[side.index()];
      Optional<Game> game = sent == null ? Optional.empty() : after(last().game, side, sent);
      if (game.isPresent() && state.shows(game.get())) {
        append(game.get(), sent);
        pending[side.index()] = null;
        return;
      }
    }
    throw unexpected("nobody has sent what leads to " + state);
  }

  private void see(int number, GameState state) {
    Entry entry = entries.get(number);
    if (entry.state == null) {
      if (!state.shows(entry.game)) {
        throw unexpected("it shows " + state);
      }
      entry.state = state;
      entry.clocks =
          number == 0 ? ExpectedClocks.begin(control, state, begun) : clocks(number, state);
    } else if (!entry.state.id().equals(state.id())) {
      throw unexpected("step " + number + " has two states: " + entry.state + " and " + state);
    }
  }

  private @Nullable ExpectedClocks clocks(int number, GameState state) {
    Entry before = entries.get(number - 1);
    Entry entry = entries.get(number);
    return ExpectedClocks.after(
        before.clocks,
        control,
        GameState.last(before.game),
        GameState.last(entry.game),
        state.clocks(),
        entry.by,
        starts);
  }

  private void append(Game game, SentRequest by) {
    entries.add(new Entry(game, by));
  }

  /** Whether the relay has counted an illegal move of the player. */
  synchronized boolean hasPlayedIllegalMove(Side side) {
    return counted[side.index()] > 0;
  }

  private Optional<Game> after(Game game, Side side, SentRequest sent) {
    Optional<Game> next = decide(game, side, sent);
    boolean second = sent.illegal() && counted[side.index()] > 0;
    return second ? next.flatMap(it -> decide(it, side, sent)) : next;
  }

  private static Optional<Game> decide(Game game, Side side, SentRequest sent) {
    return game instanceof OngoingGame playing
            && Referee.decide(playing, sent.request().by(side, playing), 0) instanceof Step step
        ? Optional.of(step.next())
        : Optional.empty();
  }

  /** Matches the state after a restart of the relay with the possible effects of open requests. */
  synchronized void resumeRunning(Side to, GameState state) {
    settle(state::shows, state);
    shown[to.index()] = entries.size() - 1;
    see(entries.size() - 1, state);
  }

  /** The same for a game that is not shown after a restart, and has these records. */
  synchronized void resumeFinished(List<GameRecord> records) {
    settle(game -> game instanceof FinishedGame over && isRecorded(over, records), records);
  }

  /** Whether the records match the ending: one record, or none of an aborted game. */
  private static boolean isRecorded(FinishedGame over, List<GameRecord> records) {
    if (over.result() == Result.NONE) {
      return records.isEmpty();
    }
    return records.size() == 1
        && records.get(0).end().equals(GameState.endOf(over))
        && records.get(0).plies().size() == over.last().plies();
  }

  /** Determines which unanswered requests have taken effect. */
  private void settle(Predicate<Game> stands, Object told) {
    if (settled < starts.count()) {
      settled = starts.count();
      List<List<Side>> orders =
          ORDERS.stream().filter(order -> after(order).filter(stands).isPresent()).toList();
      if (orders.isEmpty()) {
        throw unexpected("after a restart it has " + told);
      }
      hasAmbiguousProposal |= orders.size() > 1;
      for (Side side : orders.get(0)) {
        SentRequest sent = pending[side.index()];
        append(after(last().game, side, sent).orElseThrow(), sent);
        pending[side.index()] = null;
      }
    }
  }

  private Optional<Game> after(List<Side> order) {
    Optional<Game> game = Optional.of(last().game);
    for (Side side : order) {
      SentRequest sent = pending[side.index()];
      game = sent == null ? Optional.empty() : game.flatMap(it -> after(it, side, sent));
    }
    return game;
  }

  /** Drops the player's unanswered request. */
  synchronized void forget(Side side) {
    pending[side.index()] = null;
  }

  synchronized boolean isOver() {
    return last().game instanceof FinishedGame;
  }

  /** Whether it is rated and cannot be aborted: each player has made two moves at least. */
  synchronized boolean willBeRated() {
    return isRated && GameState.last(last().game).plies() >= 4;
  }

  /** Whether the player has been shown the end. */
  boolean isOver(Side side) {
    return seenBy(side).filter(game -> game instanceof FinishedGame).isPresent();
  }

  /** The ended game. */
  synchronized FinishedGame end() {
    return (FinishedGame) last().game;
  }

  /** Checks that the records have the ending and the events of the moves. */
  synchronized void checkRecords(List<GameRecord> records) {
    if (!isRecorded(end(), records)) {
      throw unexpected("its records are " + records);
    }
    List<Event> moves = moves();
    for (GameRecord record : records) {
      for (int i = 0; i < moves.size(); i++) {
        if (moves.get(i).kind() == 5001) { // ephemeral events are not stored
          assertThat(record.plies().get(i)).isEqualTo(moves.get(i).id().hex());
        }
      }
    }
  }

  /** The events of the moves, without moves that were taken back. */
  private List<Event> moves() {
    List<Event> moves = new ArrayList<>();
    for (Entry entry : entries) {
      int plies = GameState.last(entry.game).plies();
      if (plies > moves.size()) {
        moves.add(entry.by.event());
      }
      moves.subList(plies, moves.size()).clear();
    }
    return moves;
  }

  /** Checks the moves and clocks that a returning player is shown. */
  synchronized void resumed(Side to, String moves, List<Long> clocks) {
    Entry entry = entries.get(shown[to.index()]);
    assertThat(moves).isEqualTo(GameState.last(entry.game).moves().toString());
    if (entry.clocks != null) {
      entry.clocks.checkNow(GameState.last(entry.game), clocks, starts);
    }
  }

  private AssertionError unexpected(String what) {
    StringBuilder text =
        new StringBuilder("In game " + id + ", unexpected behaviour of the relay: " + what);
    text.append("\n  unanswered: ").append(Arrays.toString(pending));
    for (Entry entry : entries.subList(Math.max(0, entries.size() - 5), entries.size())) {
      text.append("\n  known: ").append(entry.by).append(" to ").append(entry.state);
    }
    return new AssertionError(text.toString());
  }
}
