package gambit.chess.game;

import gambit.chess.rules.Side;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of both sides, as a value that says what they show at any time.
 *
 * <p>Immutable; any thread. All times are epoch milliseconds, all durations milliseconds. Time is
 * charged when a move arrives: what it took beyond the allowance for lag. No clock runs during the
 * first move of either side, except in correspondence; such a move has a limit of its own. Where
 * the limit is for each move, a clock is set back when its side has moved.
 *
 * <p>The clocks stand while the relay is down. After a restart the side to move goes on from what
 * it had at the beginning of its turn, and both sides get {@link #RESTART_CREDIT}, once for all
 * restarts since the last change of the game, which puts it into the values.
 *
 * @param white what White had at the beginning of the turn
 * @param black what Black had then
 * @param running the side whose clock runs, or null: first move, or untimed
 * @param turnSince when the turn began, by the arrival of the move before it
 * @param resumedAt when the game went on after a restart, or 0
 */
public record ChessClock(
    Tempo tempo, long white, long black, @Nullable Side running, long turnSince, long resumedAt) {

  /** What both sides get after a restart. */
  public static final long RESTART_CREDIT = 15_000;

  /** What a clock shows that is not there: in an untimed game. */
  static final int NONE = -1;

  private static final long TENTH = 100;

  /** The clocks before the first move. */
  static ChessClock start(Tempo tempo, Side turn, long now) {
    long base = tempo.control().baseMillis();
    return new ChessClock(tempo, base, base, tempo.runs(false) ? turn : null, now, 0);
  }

  /**
   * What the side has at some time of this turn, the allowance for lag left aside: 0 or more, or -1
   * if untimed. Up to a restart it is what was shown before it.
   */
  public long at(Side side, long time) {
    if (tempo.control().isUntimed()) {
      return NONE;
    }
    return (time > resumedAt ? settled() : this).charged(side, time, 0);
  }

  /**
   * The first moment at which the side to move is out of time, {@link Long#MAX_VALUE} if never.
   * Whatever arrives then or later is too late.
   */
  public long deadline() {
    if (tempo.control().isUntimed()) {
      return Long.MAX_VALUE;
    }
    ChessClock now = settled();
    return running == null
        ? now.turnSince + tempo.firstMoveMillis()
        : now.turnSince + now.left(running) + tempo.lagMillis();
  }

  /** The clocks after a restart; nothing of it is lost when they are resumed once more. */
  ChessClock resumed(long now) {
    return new ChessClock(tempo, white, black, running, turnSince, now);
  }

  /** The same clocks with the credit for a restart in their values. */
  ChessClock settled() {
    return resumedAt == 0
        ? this
        : new ChessClock(
            tempo, white + RESTART_CREDIT, black + RESTART_CREDIT, running, resumedAt, 0);
  }

  /**
   * The clocks after a move of the side to move.
   *
   * @param turn whose turn it is then
   * @param hasMoved whether that side has moved before
   */
  ChessClock moved(Side turn, boolean hasMoved, long now) {
    return settled().next(turn, hasMoved, now, tempo.control().incrementMillis());
  }

  /** The clocks after a takeback: as {@link #moved}, but nobody has earned an increment. */
  ChessClock takenBack(Side turn, boolean hasMoved, long now) {
    return settled().next(turn, hasMoved, now, 0);
  }

  /** What the side to move has left after its move, in tenths of a second; -1 if untimed. */
  int tenthsAfterMove(Side side, long now) {
    if (tempo.control().isUntimed()) {
      return NONE;
    }
    long left = settled().kept(side, now, tempo.control().incrementMillis());
    return (int) Math.min(left / TENTH, Integer.MAX_VALUE);
  }

  private ChessClock next(Side turn, boolean hasMoved, long now, long increment) {
    return new ChessClock(
        tempo,
        onward(Side.WHITE, now, increment),
        onward(Side.BLACK, now, increment),
        tempo.runs(hasMoved) ? turn : null,
        Math.max(now, turnSince),
        0);
  }

  /** What the side begins its next turn with. */
  private long onward(Side side, long now, long increment) {
    return side == running && tempo.control().isPerMove()
        ? tempo.control().baseMillis()
        : kept(side, now, increment);
  }

  private long kept(Side side, long now, long increment) {
    return charged(side, now, tempo.lagMillis()) + (side == running ? increment : 0);
  }

  private long charged(Side side, long now, long free) {
    long spent = side == running ? Math.max(0, now - turnSince - free) : 0;
    return Math.max(0, left(side) - spent);
  }

  private long left(Side side) {
    return side == Side.WHITE ? white : black;
  }
}
