package gambit.core.store;

import java.util.List;

/**
 * A running query. Between two pages it holds no lock, no transaction and no event, however much
 * time passes. Events that are removed in between are not returned. One thread at a time.
 */
public interface Query {
  /** Approximate maximum number of entries that a page examines. */
  int PAGE_ENTRIES = 1_000;

  /**
   * Returns the next events, newest first, and by lowest id for equal times (NIP-01). A page ends
   * early, even without an event, when its cost reaches a bound, so that many queries can take
   * turns.
   *
   * @param max maximum number of events
   * @param maxBytes the event with which the encodings reach this number of bytes is the last one
   *     of the page
   */
  Page next(int max, int maxBytes);

  /**
   * One page of a query's result. Immutable.
   *
   * @param found events in serving order; may be empty although more pages follow
   * @param isLast whether no page follows
   * @param examined number of entries examined: the cost of the page
   */
  record Page(List<StoredEvent> found, boolean isLast, int examined) {}
}
