package gambit.core.session;

import gambit.core.feature.EventReceiver;
import gambit.core.model.Event;
import gambit.core.negentropy.Item;
import gambit.core.negentropy.ListItemSet;
import gambit.core.wire.Reason;
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
  private final Outcome outcome;
  private final ListItemSet.Builder items = new ListItemSet.Builder();
  private boolean isTooLarge;
  private boolean hasRoom = true;

  /** Receives the result, on the connection's event loop. */
  interface Outcome {
    /** The events, which are still to be sorted. */
    void listed(ListItemSet.Builder items);

    /**
     * There is no list.
     *
     * @param maxItems the bound of one sync if there are more events, else null
     */
    void failed(Reason reason, @Nullable Integer maxItems);
  }

  /**
   * Creates an empty list.
   *
   * @param limit the number of events that are wanted
   * @param maxItems the bound of one sync
   */
  SyncListing(long limit, int maxItems, SyncMemory memory, Outcome outcome) {
    this.limit = limit;
    this.maxItems = maxItems;
    this.memory = memory;
    this.outcome = outcome;
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
      outcome.failed(
          Reason.blocked("more than " + maxItems + " events match; narrow the filter"), maxItems);
    } else if (!hasRoom) {
      outcome.failed(SyncSession.NO_MEMORY, null);
    } else {
      outcome.listed(items);
    }
  }

  @Override
  public void refused(Reason reason) {
    outcome.failed(reason, null);
  }

  @Override
  public void abandoned() {}
}
