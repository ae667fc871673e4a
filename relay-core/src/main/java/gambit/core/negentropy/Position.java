package gambit.core.negentropy;

import gambit.core.model.EventId;
import java.util.Arrays;

/**
 * A place in the order of events that the protocol has: {@code created_at} ascending, then id
 * ascending. It is that of an item, an element of a set, or a bound of a range, which begins with
 * the item at its lower bound, and ends before the item at its upper bound.
 *
 * @param createdAt in seconds; {@code Long.MAX_VALUE} for {@link #INFINITY} alone
 * @param id an event's; of a bound that was sent, a prefix followed by zero bytes
 */
public record Position(long createdAt, EventId id) implements Comparable<Position> {
  private static final EventId ZERO = new EventId(new byte[32]);

  public static final Position START = new Position(0, ZERO);

  public static final Position INFINITY = new Position(Long.MAX_VALUE, ZERO);

  public Position {
    if (createdAt < 0 || createdAt == Long.MAX_VALUE && !id.equals(ZERO)) {
      throw new IllegalArgumentException("no position: " + createdAt + " " + id);
    }
  }

  /** The bound before all items of that second and later ones. */
  public static Position at(long createdAt) {
    return new Position(createdAt, ZERO);
  }

  /**
   * The bound between two neighbours that has the shortest encoding: the later one's time alone, or
   * with as much of its id as distinguishes it.
   */
  public static Position between(Position earlier, Position later) {
    if (earlier.createdAt() != later.createdAt()) {
      return at(later.createdAt());
    }
    byte[] id = later.id().bytes();
    int different = Arrays.mismatch(earlier.id().bytes(), id);
    byte[] prefix = Arrays.copyOf(id, different < 0 ? id.length : different + 1);
    return new Position(later.createdAt(), new EventId(Arrays.copyOf(prefix, id.length)));
  }

  @Override
  public int compareTo(Position other) {
    int order = Long.compare(createdAt, other.createdAt);
    return order == 0 ? id.compareTo(other.id) : order;
  }
}
