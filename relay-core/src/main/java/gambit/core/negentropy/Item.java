package gambit.core.negentropy;

import gambit.core.model.EventId;

/**
 * An element of a set: an event's id and time. The order is that of the protocol: {@code
 * created_at} ascending, then id ascending.
 *
 * @param createdAt in seconds, from 0 to {@code Long.MAX_VALUE - 1}
 */
public record Item(long createdAt, EventId id) implements Comparable<Item> {
  public Item {
    if (createdAt < 0 || createdAt == Long.MAX_VALUE) {
      throw new IllegalArgumentException("no time of an item: " + createdAt);
    }
  }

  @Override
  public int compareTo(Item other) {
    int order = Long.compare(createdAt, other.createdAt);
    return order == 0 ? id.compareTo(other.id) : order;
  }
}
