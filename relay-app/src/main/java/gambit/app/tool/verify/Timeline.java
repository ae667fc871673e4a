package gambit.app.tool.verify;

import gambit.chess.rules.Side;
import gambit.core.model.Event;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Bounds on the arrival times of a game's events, derived from their {@code created_at}: a relay
 * accepts only events whose {@code created_at} is within {@code chess.max_clock_skew} of their
 * arrival. In seconds of Unix time. One thread.
 */
final class Timeline {
  private final long begin;
  private final long end;
  private final long skew;

  /** For each side, the earliest possible arrival of its last move. */
  private final Map<Side, Long> lastMoves = new EnumMap<>(Side.class);

  Timeline(long begin, long end, Duration skew) {
    this.begin = begin;
    this.end = end;
    this.skew = skew.toSeconds();
  }

  /** The reason why the event cannot have arrived during the game; empty if it can. */
  Optional<String> outsideGame(Event event) {
    if (event.createdAt() + skew < begin) {
      return Optional.of(signedAt(event) + ", before the game began");
    } else if (event.createdAt() - skew > end) {
      return Optional.of(signedAt(event) + ", after the game had ended");
    }
    return Optional.empty();
  }

  /** The reason why the event must have arrived before a side's last move; empty if it need not. */
  Optional<String> beforeLastMove(Side side, Event event) {
    long earliest = lastMoves.getOrDefault(side, begin);
    return event.createdAt() + skew < earliest
        ? Optional.of(signedAt(event) + ", before the move that it follows")
        : Optional.empty();
  }

  void addMove(Side side, Event event) {
    lastMoves.merge(side, event.createdAt() - skew, Math::max);
  }

  /** The earliest possible time of a side's last move, or of the start if it has not moved. */
  long earliestLastMove(Side side) {
    return Math.max(begin, lastMoves.getOrDefault(side, begin));
  }

  long end() {
    return end;
  }

  private static String signedAt(Event event) {
    return "was signed at " + event.createdAt();
  }
}
