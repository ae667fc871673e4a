package gambit.core.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.feature.ClientConnection;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.limit.SharedBudget;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  @GuardedBy("this")
  private int queries;

  @GuardedBy("this")
  private int values;

  /** Of all filters of all connections; {@link #owners} hold it. */
  @GuardedBy("this")
  private int held;

  @GuardedBy("this")
  private Set<Object> owners = Set.of();

  QueryAdmission(RelayCore relay, ClientConnection client) {
    this.relay = relay;
    this.client = client;
  }

  /** Reserves a subscription or query with these filters, or returns why it is refused. */
  @Nullable Reason admit(List<Filter> filters) {
    Optional<Reason> guarded = relay.features().guards().objection(filters, client);
    return guarded.isPresent() ? guarded.get() : reserve(filters);
  }

  private synchronized @Nullable Reason reserve(List<Filter> filters) {
    LimitValues limits = relay.bounds().limits();
    int more = values(filters);
    if (queries >= limits.get(Limit.SUBSCRIPTIONS)) {
      return Reason.error("more than " + limits.get(Limit.SUBSCRIPTIONS) + " subscriptions");
    } else if (values + more > limits.get(Limit.FILTER_VALUES)) {
      return Reason.error("more than " + limits.get(Limit.FILTER_VALUES) + " filter values");
    }
    addOwners();
    if (!relay.bounds().allFilterValues().reserve(owners, more + filters.size())) {
      return Reason.error("too many filter values of your address or of all, try again later");
    }
    queries++;
    values += more;
    held += more + filters.size();
    return null;
  }

  /** What was reserved before a login counts in the share of the key, too. */
  @GuardedBy("this")
  private void addOwners() {
    SharedBudget all = relay.bounds().allFilterValues();
    Set<Object> now = client.owners();
    if (!now.equals(owners)) {
      for (Object owner : now) {
        if (!owners.contains(owner)) {
          all.share(owner, held);
        }
      }
      owners = now;
    }
  }

  /** The subscriptions and queries that are admitted now. Any thread. */
  synchronized int queries() {
    return queries;
  }

  synchronized void release(List<Filter> filters) {
    int fewer = values(filters);
    queries--;
    values -= fewer;
    held -= fewer + filters.size();
    relay.bounds().allFilterValues().release(owners, fewer + filters.size());
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
