package gambit.chess.game;

import gambit.chess.rules.Side;
import java.util.EnumMap;
import java.util.Map;

/** Two clocks that are set at each change of a game that White began; mutable. */
final class ClockModel {
  private final TimeLimits limits;
  private final Map<Side, Long> left = new EnumMap<>(Side.class);
  private final Map<Side, Long> shown = new EnumMap<>(Side.class);
  private Side turn = Side.WHITE;
  private boolean firstMove = true;
  private long since;
  private boolean creditDue;

  ClockModel(TimeLimits limits, long now) {
    this.limits = limits;
    this.since = now;
    for (Side side : Side.values()) {
      left.put(side, limits.control().baseMillis());
    }
    show(now);
  }

  boolean isFirstMove() {
    return firstMove && !limits.control().isCorrespondence();
  }

  boolean isLate(long now) {
    if (limits.control().isUntimed()) {
      return false;
    } else if (isFirstMove()) {
      return now - since >= limits.firstMoveMillis();
    }
    return now - since - limits.lagMillis() >= left.get(turn) + (creditDue ? 15_000 : 0);
  }

  /** What the side's clock showed when the game last changed. */
  long shown(Side side) {
    return shown.get(side);
  }

  void restarted(long now) {
    since = now;
    creditDue = true;
  }

  /** A change that leaves the turn as it is. */
  void changed(long now) {
    if (creditDue) {
      left.replaceAll((side, millis) -> millis + 15_000);
      creditDue = false;
    }
    show(now);
  }

  /** The turn is over, by a move or a takeback; {@code plies} have been played. */
  void turned(long increment, int plies, long now) {
    changed(now);
    if (!isFirstMove()) {
      long counted = Math.max(0, now - since - limits.lagMillis());
      boolean perMove = limits.control().isPerMove();
      left.put(
          turn, perMove ? limits.control().baseMillis() : left.get(turn) - counted + increment);
    }
    turn = plies % 2 == 0 ? Side.WHITE : Side.BLACK;
    firstMove = plies < 2;
    since = now;
    show(now);
  }

  private void show(long now) {
    for (Side side : Side.values()) {
      boolean runs = side == turn && !isFirstMove();
      long shows = Math.max(0, left.get(side) - (runs ? now - since : 0));
      shown.put(side, limits.control().isUntimed() ? -1 : shows);
    }
  }
}
