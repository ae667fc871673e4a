package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.limit.Budget;
import gambit.core.limit.Limit;
import gambit.core.limit.Limits;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the subscriptions and feature queries of one connection and the values in their filters.
 * {@link #admit} is called on the connection's event loop, {@link #release} on any thread.
 */
final class QueryAdmission {
  static final Reason BUSY = Reason.rateLimited("the relay is busy, try again");
  static final Reason TOO_MANY_QUERIES = Reason.rateLimited("too many queries, try again");

  private final RelayCore relay;
  private final ClientConnection client;
  private final Budget filterValues;
  private final AtomicInteger admitted = new AtomicInteger();

  QueryAdmission(RelayCore relay, ClientConnection client) {
    this.relay = relay;
    this.client = client;
    this.filterValues = new Budget(relay.bounds().currentLimits().of(Limit.FILTER_VALUES));
  }

  /** Reserves a subscription or query with these filters, or returns why it is refused. */
  @Nullable Reason admit(List<Filter> filters) {
    Limits limits = relay.bounds().limits();
    Optional<Reason> guarded = relay.features().guards().objection(filters, client);
    if (guarded.isPresent()) {
      return guarded.get();
    }
    if (admitted.get() >= limits.get(Limit.SUBSCRIPTIONS)) {
      return Reason.error("more than " + limits.get(Limit.SUBSCRIPTIONS) + " subscriptions");
    }
    int values = values(filters);
    if (!filterValues.reserve(values)) {
      return Reason.error("more than " + limits.get(Limit.FILTER_VALUES) + " filter values");
    }
    if (!relay.bounds().allFilterValues().reserve(values + filters.size())) {
      filterValues.release(values);
      return Reason.error("the relay has too many filter values, try again later");
    }
    admitted.incrementAndGet();
    return null;
  }

  /** Releases what {@link #admit} has reserved. */
  void release(List<Filter> filters) {
    int values = values(filters);
    filterValues.release(values);
    relay.bounds().allFilterValues().release(values + filters.size());
    admitted.decrementAndGet();
  }

  /**
   * The values that count against the limit of a connection, which NIP-11 publishes. In the limit
   * for all connections each filter counts as one more, because a filter without values takes
   * memory, too.
   */
  private static int values(List<Filter> filters) {
    int values = 0;
    for (Filter filter : filters) {
      values += filter.valueCount();
    }
    return values;
  }
}
