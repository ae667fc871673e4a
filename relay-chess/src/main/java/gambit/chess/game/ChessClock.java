package gambit.chess.game;

import gambit.chess.rules.Side;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of both sides, from which the time that is left can be computed for any moment.
 *
 * <p>Immutable; any thread. Times are epoch milliseconds, durations milliseconds. A move is charged
 * when it arrives, with the time that it took beyond the lag allowance. No clock runs during the
 * first move of either side, which has a limit of its own, except in correspondence. With a limit
 * for each move, a side's clock is reset when it has moved.
 *
 * <p>Clocks are stopped while the relay is down. After a restart the side to move resumes with the
 * time that it had at the start of its turn, and both sides get {@link #RESTART_CREDIT}: once for
 * all restarts until the game next changes, when the credit is added to the values.
 *
 * @param white White's time at the start of the turn
 * @param running the side whose clock runs, or null during a first move or if untimed
 * @param turnSince the start of the turn: the arrival of the previous move
 * @param resumedAt the time of the last restart, or 0
 */
public record ChessClock(
    TimeLimits limits,
    long white,
    long black,
    @Nullable Side running,
    long turnSince,
    long resumedAt) {

  /** The time that both sides get after a restart, in milliseconds. */
  public static final long RESTART_CREDIT = 15_000;

  static final int UNTIMED = -1;

  private static final long MILLIS_PER_TENTH = 100;

  static ChessClock start(TimeLimits limits, Side turn, long now) {
    long base = limits.control().baseMillis();
    return new ChessClock(limits, base, base, limits.runs(false) ? turn : null, now, 0);
  }

  /**
   * The time that a side has left at some time of this turn, without the lag allowance; -1 if
   * untimed. For a time before the restart, the credit is not included.
   */
  public long at(Side side, long time) {
    if (limits.control().isUntimed()) {
      return UNTIMED;
    }
    return (time > resumedAt ? settled() : this).charged(side, time, 0);
  }

  /**
   * The time from which the side to move is out of time; {@link Long#MAX_VALUE} if untimed. A
   * command that arrives at it is late.
   */
  public long deadline() {
    if (limits.control().isUntimed()) {
      return Long.MAX_VALUE;
    }
    ChessClock now = settled();
    return running == null
        ? now.turnSince + limits.firstMoveMillis()
        : now.turnSince + now.left(running) + limits.lagMillis();
  }

  /** The clocks after a restart. Resuming them again adds no further credit. */
  ChessClock resumed(long now) {
    return new ChessClock(limits, white, black, running, turnSince, now);
  }

  ChessClock settled() {
    return resumedAt == 0
        ? this
        : new ChessClock(
            limits, white + RESTART_CREDIT, black + RESTART_CREDIT, running, resumedAt, 0);
  }

  /** The clocks after a move; {@code hasMoved} is about the side to move next. */
  ChessClock moved(Side turn, boolean hasMoved, long now) {
    return settled().next(turn, hasMoved, now, limits.control().incrementMillis());
  }

  /** The clocks after a takeback: as {@link #moved}, but without an increment. */
  ChessClock takenBack(Side turn, boolean hasMoved, long now) {
    return settled().next(turn, hasMoved, now, 0);
  }

  /** The time left after the move of a side, in tenths of a second; -1 if untimed. */
  int tenthsAfterMove(Side side, long now) {
    if (limits.control().isUntimed()) {
      return UNTIMED;
    }
    long left = settled().withIncrement(side, now, limits.control().incrementMillis());
    return (int) Math.min(left / MILLIS_PER_TENTH, Integer.MAX_VALUE);
  }

  private ChessClock next(Side turn, boolean hasMoved, long now, long increment) {
    return new ChessClock(
        limits,
        afterTurn(Side.WHITE, now, increment),
        afterTurn(Side.BLACK, now, increment),
        limits.runs(hasMoved) ? turn : null,
        Math.max(now, turnSince),
        0);
  }

  private long afterTurn(Side side, long now, long increment) {
    return side == running && limits.control().isPerMove()
        ? limits.control().baseMillis()
        : withIncrement(side, now, increment);
  }

  private long withIncrement(Side side, long now, long increment) {
    return charged(side, now, limits.lagMillis()) + (side == running ? increment : 0);
  }

  private long charged(Side side, long now, long uncharged) {
    long spent = side == running ? Math.max(0, now - turnSince - uncharged) : 0;
    return Math.max(0, left(side) - spent);
  }

  private long left(Side side) {
    return side == Side.WHITE ? white : black;
  }
}
