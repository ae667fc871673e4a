package gambit.core.negentropy;

import gambit.core.model.EventId;
import java.util.Arrays;

/**
 * A place in the order of items: just before the item with that time and id. A range of items is
 * inclusive of its lower bound and exclusive of its upper bound.
 *
 * @param createdAt in seconds; {@code Long.MAX_VALUE} for {@link #INFINITY} alone
 * @param id the prefix that was sent, followed by zero bytes
 */
public record Bound(long createdAt, EventId id) implements Comparable<Bound> {
  private static final EventId ZERO = new EventId(new byte[32]);

  public static final Bound START = new Bound(0, ZERO);

  public static final Bound INFINITY = new Bound(Long.MAX_VALUE, ZERO);

  public Bound {
    if (createdAt < 0 || createdAt == Long.MAX_VALUE && !id.equals(ZERO)) {
      throw new IllegalArgumentException("no bound: " + createdAt + " " + id);
    }
  }

  /** The bound before all items of that second and later ones. */
  public static Bound at(long createdAt) {
    return new Bound(createdAt, ZERO);
  }

  public static Bound before(Item item) {
    return new Bound(item.createdAt(), item.id());
  }

  /**
   * The bound between two neighbours that has the shortest encoding: the later one's time alone, or
   * with as much of its id as distinguishes it.
   */
  public static Bound between(Item earlier, Item later) {
    if (earlier.createdAt() != later.createdAt()) {
      return at(later.createdAt());
    }
    byte[] id = later.id().bytes();
    int different = Arrays.mismatch(earlier.id().bytes(), id);
    byte[] prefix = Arrays.copyOf(id, different < 0 ? id.length : different + 1);
    return new Bound(later.createdAt(), new EventId(Arrays.copyOf(prefix, id.length)));
  }

  /** Whether an item is before this place. */
  public boolean isAfter(Item item) {
    return createdAt > item.createdAt()
        || createdAt == item.createdAt() && id.compareTo(item.id()) > 0;
  }

  @Override
  public int compareTo(Bound other) {
    int order = Long.compare(createdAt, other.createdAt);
    return order == 0 ? id.compareTo(other.id) : order;
  }
}
