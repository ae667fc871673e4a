package gambit.core.session;

import gambit.core.model.Filter;
import gambit.core.model.Kind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which REQs are read on the event loop, before they are registered, and how far: those
 * that probably find little, a few in each batch of messages of one connection, so that a client
 * with many REQs does not keep the other clients of its event loop waiting. Confined to the
 * connection's event loop.
 */
final class EarlyRead {
  /** Maximum number of events read for one REQ. */
  static final int EVENTS = 32;

  /** Approximate number of entries after which the reading for one REQ ends. */
  static final int EXAMINED = 64;

  /** Maximum number of REQs of one batch of messages. */
  static final int REQS_PER_BATCH = 4;

  /** Values of conditions that narrow a REQ; each takes a look-up or opens a range. */
  private static final int MAX_VALUES = 20;

  private @Nullable Instant batch;
  private int left;

  /**
   * Whether another REQ of a batch may be read early.
   *
   * @param arrivedAt the same object for all messages of the batch
   */
  @SuppressWarnings("ReferenceEquality") // batches may arrive at the same time
  boolean isLeft(Instant arrivedAt) {
    if (batch != arrivedAt) {
      batch = arrivedAt;
      left = REQS_PER_BATCH;
    }
    return left-- > 0;
  }

  /** Whether the filters probably find little, and the client has room for it. */
  static boolean suits(ConnectionContext connection, List<Filter> filters) {
    if (!connection.outbox().isRoomy() || connection.outbox().isScarce()) {
      return false;
    }
    int values = 0;
    for (Filter filter : filters) {
      if (!suits(filter)) {
        return false;
      }
      values += filter.valueCount();
    }
    return values <= MAX_VALUES;
  }

  private static boolean suits(Filter filter) {
    boolean isNarrow = filter.ids() != null || !filter.tags().isEmpty();
    boolean isShort = filter.limit() == null ? filter.authors() != null : filter.limit() <= EVENTS;
    boolean mayFindStates =
        filter.kinds() != null && filter.kinds().stream().anyMatch(Kind::isEphemeral);
    return filter.search() == null && !mayFindStates && (isNarrow || isShort);
  }
}
