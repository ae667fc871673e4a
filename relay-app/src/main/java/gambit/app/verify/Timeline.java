package gambit.app.verify;

import gambit.chess.rules.Side;
import gambit.core.model.Event;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * When a game's events arrived at the relay, as far as their {@code created_at} says: a relay takes
 * only events whose {@code created_at} is within {@code chess.max_clock_skew} of their arrival. In
 * seconds of Unix time. One thread.
 */
final class Timeline {
  private final long begin;
  private final long end;
  private final long skew;

  /** For each side, the earliest time at which its last move can have arrived. */
  private final Map<Side, Long> lastMoves = new EnumMap<>(Side.class);

  /**
   * The time of one game.
   *
   * @param begin {@code created_at} of its first event
   * @param end {@code created_at} of its record
   * @param skew how far {@code created_at} of an event may be from its arrival
   */
  Timeline(long begin, long end, Duration skew) {
    this.begin = begin;
    this.end = end;
    this.skew = skew.toSeconds();
  }

  /** Why the event cannot have arrived while the game ran, if so. */
  Optional<String> outside(Event event) {
    if (event.createdAt() + skew < begin) {
      return Optional.of(signedAt(event) + ", before the game began");
    } else if (event.createdAt() - skew > end) {
      return Optional.of(signedAt(event) + ", after the game had ended");
    }
    return Optional.empty();
  }

  /** Why the event cannot have arrived after the last move of a side, if so. */
  Optional<String> before(Side side, Event event) {
    long earliest = lastMoves.getOrDefault(side, begin);
    return event.createdAt() + skew < earliest
        ? Optional.of(signedAt(event) + ", before the move that it follows")
        : Optional.empty();
  }

  /** Takes a side's move that holds. */
  void moved(Side side, Event event) {
    lastMoves.merge(side, event.createdAt() - skew, Math::max);
  }

  /** The earliest time at which the last move of a side, or the game's beginning, can have been. */
  long earliest(Side side) {
    return Math.max(begin, lastMoves.getOrDefault(side, begin));
  }

  /** When the relay says that the game was over. */
  long end() {
    return end;
  }

  private static String signedAt(Event event) {
    return "was signed at " + event.createdAt();
  }
}
