package gambit.core.store;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import org.jspecify.annotations.Nullable;

/**
 * Where events are kept. A store knows ids, addresses and offsets, but the meaning of no NIP: that
 * lives in {@code ingest}, once for all stores.
 *
 * <p>Every appended event has an offset; offsets grow in commit order and are never used twice, so
 * that one number tells what a reader has seen.
 */
public interface EventStore extends AutoCloseable {

  /** Tells whether the event is stored and committed. Any thread. */
  boolean contains(EventId id);

  /**
   * The offset of the newest committed event, 0 when there is none; at least that of any commit
   * whose changes a page has shown. Any thread.
   */
  long lastOffset();

  /** How many events are stored. Any thread; approximate while a commit is under way. */
  long size();

  /** Begins the one write transaction. The writer's thread only. */
  Transaction begin();

  /**
   * The next stored events that match, newest first, equal times by lowest id (NIP-01). The
   * filter's {@code limit} is not looked at. A page that has cost enough ends early, so that many
   * queries can take turns. Any thread.
   *
   * @param upTo the highest offset that may be shown
   * @param after where the page before left off, or null for the first page
   * @param max how many at most
   */
  Page page(Filter filter, long upTo, @Nullable StoredEvent after, int max);

  @Override
  void close();
}
