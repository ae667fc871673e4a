package gambit.core.store;

import gambit.core.model.Filter;
import gambit.core.negentropy.ItemSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The stored events at one moment, in the order of NIP-77. It may hold a read transaction, so it is
 * to be closed soon. One thread.
 */
public interface StoreSnapshot extends AutoCloseable {
  /**
   * The events of some kinds. Sums come from sums that the store keeps: their cost grows with the
   * number of events by one step for some hundred of them. The set is valid until the snapshot is
   * closed.
   */
  ItemSet items(IntPredicate kinds);

  /** Stored events that match, newest first; the filter's {@code limit} is ignored. */
  List<StoredEvent> find(Filter filter, int max);

  /** Stored events that expire at the given time or earlier. */
  List<StoredEvent> expired(long seconds, int max);

  /** The number of entries examined so far: the cost of the answers. */
  long examined();

  @Override
  void close();
}
