package gambit.core.session;

import gambit.core.feature.EventReceiver;
import gambit.core.model.Event;
import gambit.core.negentropy.Item;
import gambit.core.negentropy.ListItemSet;
import gambit.core.wire.Reason;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists the events that a query finds for a sync: within the bound of one sync, and in memory that
 * all syncs share. One thread at a time.
 */
final class SyncListing implements EventReceiver {
  /** Approximate bytes of an event in the list until it is sorted. */
  private static final int BYTES_PER_ITEM = 128;

  /** Approximate bytes of an event in the list that is sorted. */
  private static final int BYTES_PER_SORTED_ITEM = 64;

  /** Memory is reserved for that many events at a time. */
  private static final int ITEMS_PER_RESERVATION = 1_024;

  private final long limit;
  private final int maxItems;
  private final SyncMemory memory;
  private final Consumer<ListItemSet.Builder> listed;
  private final BiConsumer<Reason, @Nullable Integer> failed;
  private final ListItemSet.Builder items = new ListItemSet.Builder();
  private boolean isTooLarge;
  private boolean hasRoom = true;

  /**
   * Creates an empty list.
   *
   * @param limit the number of events that are wanted
   * @param maxItems the bound of one sync
   * @param listed receives the events, which are still to be sorted, on the connection's event loop
   * @param failed receives why there is no list, on the event loop, and {@code maxItems} if there
   *     are more events, else null
   */
  SyncListing(
      long limit,
      int maxItems,
      SyncMemory memory,
      Consumer<ListItemSet.Builder> listed,
      BiConsumer<Reason, @Nullable Integer> failed) {
    this.limit = limit;
    this.maxItems = maxItems;
    this.memory = memory;
    this.listed = listed;
    this.failed = failed;
  }

  /** The reserved bytes that a list of so many events no longer needs when it is sorted. */
  static long bytesOfSorting(int size) {
    return (long) (BYTES_PER_ITEM - BYTES_PER_SORTED_ITEM) * size;
  }

  @Override
  public boolean take(Event event) {
    if (items.size() >= limit) {
      return false;
    }
    isTooLarge = items.size() >= maxItems;
    if (items.size() % ITEMS_PER_RESERVATION == 0) {
      hasRoom = memory.reserve(BYTES_PER_ITEM * ITEMS_PER_RESERVATION);
    }
    if (isTooLarge || !hasRoom) {
      return false;
    }
    items.add(new Item(event.createdAt(), event.id()));
    return true;
  }

  @Override
  public void complete() {
    if (isTooLarge) {
      failed.accept(
          Reason.blocked("more than " + maxItems + " events match; narrow the filter"), maxItems);
    } else if (!hasRoom) {
      failed.accept(SyncSession.NO_MEMORY, null);
    } else {
      listed.accept(items);
    }
  }

  @Override
  public void refused(Reason reason) {
    failed.accept(reason, null);
  }

  @Override
  public void abandoned() {}
}
