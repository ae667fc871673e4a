package gambit.app.games;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.Game;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Referee;
import gambit.chess.game.Result;
import gambit.chess.game.Step;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One game as its two players know it: each step that the relay has acknowledged to the one or told
 * the other, and what they have sent and have no answer to. Whatever the relay says of the game has
 * to follow from that. Both players' threads.
 *
 * <p>A step is known by the first that is heard of it. That is the order of the commits, as each
 * step is told over both players' connections, and over each of them in that order.
 */
final class Score {
  /** In which what has no answer may have happened, if it has; the fewest first. */
  private static final List<List<Side>> ORDERS =
      List.of(
          List.of(),
          List.of(Side.WHITE),
          List.of(Side.BLACK),
          List.of(Side.WHITE, Side.BLACK),
          List.of(Side.BLACK, Side.WHITE));

  /** How a proposal is refused after another one. */
  private static final String TOO_OFTEN = "one ";

  private final Starts starts;
  private final String id;
  private final TimeControl control;
  private final int begun;
  private final List<Entry> entries = new ArrayList<>();
  private final @Nullable Sent[] pending = new @Nullable Sent[2];
  private final int[] shown = {-1, -1};

  /** Illegal moves; no state shows them, so that they are in none of the entries. */
  private final int[] counted = {0, 0};

  private int settled;

  /** Whether there may have been a proposal that nobody was told of, as a move has ended it. */
  private boolean doubtful;

  /** A step of the game, with the state that the relay has shown of it if it was seen. */
  private static final class Entry {
    private final Game game;
    private final @Nullable Sent by;
    private @Nullable State state;
    private @Nullable Clocks clocks;

    Entry(Game game, @Nullable Sent by) {
      this.game = game;
      this.by = by;
    }
  }

  /**
   * A game before its first move.
   *
   * @param begun the start of the relay during which it has begun
   */
  Score(String id, TimeControl control, Starts starts, int begun) {
    this.id = id;
    this.control = control;
    this.starts = starts;
    this.begun = begun;
    this.settled = starts.count();
    Playing start = Playing.start(Rules.initial(), TimeControl.UNTIMED, 0, 0, 0);
    entries.add(new Entry(start, null));
  }

  String id() {
    return id;
  }

  private Entry last() {
    return entries.get(entries.size() - 1);
  }

  /** The game, if the player has seen all of it that is known. */
  synchronized Optional<Game> seenBy(Side side) {
    boolean all = shown[side.index()] == entries.size() - 1 && last().state != null;
    return all ? Optional.of(last().game) : Optional.empty();
  }

  /** How many steps the player was shown. */
  synchronized int known(Side side) {
    return shown[side.index()] + 1;
  }

  synchronized void sent(Side side, Sent sent) {
    pending[side.index()] = sent;
  }

  /** Whether what the player has sent is not known to have happened. */
  synchronized boolean isPending(Side side) {
    return pending[side.index()] != null;
  }

  /** The relay has said that it has happened. */
  synchronized void accepted(Side side) {
    Sent sent = pending[side.index()];
    if (sent != null) {
      append(after(last().game, side, sent).orElseThrow(() -> wrong("it accepted " + sent)), sent);
      pending[side.index()] = null;
    }
  }

  /** The relay has said that it has not happened: then the opponent has come before it. */
  synchronized void refused(Side side, String reason) {
    Sent sent = pending[side.index()];
    boolean crossed =
        sent != null && (entries.size() > sent.known() || pending[side.opponent().index()] != null);
    if (!crossed && !(doubtful && reason.contains(TOO_OFTEN))) {
      throw wrong("it refused " + sent + " as " + reason);
    }
    pending[side.index()] = null;
  }

  /** The relay has counted an illegal move, the first or the second of the player. */
  synchronized void counted(Side side, int count) {
    Sent sent = pending[side.index()];
    boolean known = isOver() && end().termination() == Termination.ILLEGALMOVES && count == 2;
    boolean next = sent != null && sent.illegal() && count == counted[side.index()] + 1;
    if (!known && !next) {
      throw wrong("it counted " + count + " with " + sent);
    }
    if (!known && count == 2) {
      append(after(last().game, side, sent).orElseThrow(), sent);
    }
    counted[side.index()] = count;
    pending[side.index()] = null;
  }

  /** The relay shows the next step. */
  synchronized void shown(Side to, State state) {
    int next = ++shown[to.index()];
    if (next == entries.size()) {
      apply(state);
    }
    see(next, state);
  }

  private void apply(State state) {
    for (Side side : Side.values()) {
      Sent sent = pending[side.index()];
      Optional<Game> game = sent == null ? Optional.empty() : after(last().game, side, sent);
      if (game.isPresent() && state.shows(game.get())) {
        append(game.get(), sent);
        pending[side.index()] = null;
        return;
      }
    }
    throw wrong("nobody has sent what leads to " + state);
  }

  private void see(int number, State state) {
    Entry entry = entries.get(number);
    if (entry.state == null) {
      if (!state.shows(entry.game)) {
        throw wrong("it shows " + state);
      }
      entry.state = state;
      entry.clocks = number == 0 ? Clocks.begin(control, state, begun) : clocks(number, state);
    } else if (!entry.state.id().equals(state.id())) {
      throw wrong("step " + number + " has two states: " + entry.state + " and " + state);
    }
  }

  private @Nullable Clocks clocks(int number, State state) {
    Entry before = entries.get(number - 1);
    Entry entry = entries.get(number);
    return Clocks.after(
        before.clocks,
        control,
        State.last(before.game),
        State.last(entry.game),
        state.clocks(),
        entry.by,
        starts);
  }

  private void append(Game game, Sent by) {
    entries.add(new Entry(game, by));
  }

  /** Whether an illegal move of the player was counted. */
  synchronized boolean hasErred(Side side) {
    return counted[side.index()] > 0;
  }

  private Optional<Game> after(Game game, Side side, Sent sent) {
    Optional<Game> next = decide(game, side, sent);
    boolean second = sent.illegal() && counted[side.index()] > 0;
    return second ? next.flatMap(it -> decide(it, side, sent)) : next;
  }

  private static Optional<Game> decide(Game game, Side side, Sent sent) {
    return game instanceof Playing playing
            && Referee.decide(playing, sent.request().by(side, playing), 0) instanceof Step step
        ? Optional.of(step.next())
        : Optional.empty();
  }

  /** The relay was started again and shows the game: what has no answer has happened or has not. */
  synchronized void goesOn(Side to, State state) {
    settle(state::shows, state);
    shown[to.index()] = entries.size() - 1;
    see(entries.size() - 1, state);
  }

  /** The relay was started again, does not show the game, and has these records of it. */
  synchronized void isOver(List<GameRecord> records) {
    settle(game -> game instanceof Over over && isRecorded(over, records), records);
  }

  /** Whether the records are those of a game that ended so: one, unless it was aborted. */
  private static boolean isRecorded(Over over, List<GameRecord> records) {
    if (over.result() == Result.NONE) {
      return records.isEmpty();
    }
    return records.size() == 1
        && records.get(0).end().equals(State.endOf(over))
        && records.get(0).plies().size() == over.last().plies();
  }

  /** Finds out which of what has no answer has happened. */
  private void settle(Predicate<Game> stands, Object told) {
    if (settled < starts.count()) {
      settled = starts.count();
      List<List<Side>> orders =
          ORDERS.stream().filter(order -> after(order).filter(stands).isPresent()).toList();
      if (orders.isEmpty()) {
        throw wrong("after a restart it has " + told);
      }
      doubtful |= orders.size() > 1;
      for (Side side : orders.get(0)) {
        Sent sent = pending[side.index()];
        append(after(last().game, side, sent).orElseThrow(), sent);
        pending[side.index()] = null;
      }
    }
  }

  private Optional<Game> after(List<Side> order) {
    Optional<Game> game = Optional.of(last().game);
    for (Side side : order) {
      Sent sent = pending[side.index()];
      game = sent == null ? Optional.empty() : game.flatMap(it -> after(it, side, sent));
    }
    return game;
  }

  /** What it was not told of will not come any more. */
  synchronized void forget(Side side) {
    pending[side.index()] = null;
  }

  synchronized boolean isOver() {
    return last().game instanceof Over;
  }

  /** Whether the player was shown the end. */
  boolean isOver(Side side) {
    return seenBy(side).filter(game -> game instanceof Over).isPresent();
  }

  /** How it has ended. */
  synchronized Over end() {
    return (Over) last().game;
  }

  /** Checks what is recorded of the game: the ending, and the events of its moves. */
  synchronized void checkRecords(List<GameRecord> records) {
    if (!isRecorded(end(), records)) {
      throw wrong("its records are " + records);
    }
    List<Event> moves = moves();
    for (GameRecord record : records) {
      for (int i = 0; i < moves.size(); i++) {
        if (moves.get(i).kind() == 5001) { // the others are not stored themselves
          assertThat(record.plies().get(i)).isEqualTo(moves.get(i).id().hex());
        }
      }
    }
  }

  /** The events with which the moves were sent, those that were taken back left out. */
  private List<Event> moves() {
    List<Event> moves = new ArrayList<>();
    for (Entry entry : entries) {
      int plies = State.last(entry.game).plies();
      if (plies > moves.size()) {
        moves.add(entry.by.event());
      }
      moves.subList(plies, moves.size()).clear();
    }
    return moves;
  }

  /** What the clocks show to a player who has come back. */
  synchronized void resumed(Side to, String moves, List<Long> clocks) {
    Entry entry = entries.get(shown[to.index()]);
    assertThat(moves).isEqualTo(State.last(entry.game).moves().toString());
    if (entry.clocks != null) {
      entry.clocks.checkNow(State.last(entry.game), clocks, starts);
    }
  }

  private AssertionError wrong(String what) {
    StringBuilder text = new StringBuilder("In game " + id + " the relay went wrong: " + what);
    text.append("\n  unanswered: ").append(Arrays.toString(pending));
    for (Entry entry : entries.subList(Math.max(0, entries.size() - 5), entries.size())) {
      text.append("\n  known: ").append(entry.by).append(" to ").append(entry.state);
    }
    return new AssertionError(text.toString());
  }
}
