package gambit.core.session;

import gambit.core.live.CurrentState;
import gambit.core.model.Filter;
import gambit.core.session.SessionFeatures.InstalledSearch;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts the stored phase of one subscription when the live lane has registered it.
 *
 * <p>Of a small REQ, the results are read before that, on the connection's event loop ({@link
 * #readEarly}, {@link EarlyRead}), up to the newest commit that was visible then. They are valid if
 * no later commit has been released when the subscription is registered: they are then sent at
 * once, with EOSE, so that the query lane is not woken. Otherwise they are dropped and the query
 * lane reads again.
 */
final class StoredPhaseStart implements Subscription.StoredPhaseStarter {
  private final ConnectionContext connection;
  private Consumer<Reason> failed = reason -> {};
  private @Nullable StoredPhase early; // passed from the event loop to the live lane

  StoredPhaseStart(ConnectionContext connection) {
    this.connection = connection;
  }

  /**
   * Sets what ends the subscription, on any thread, if the phase fails. Before the registration.
   */
  void onFailure(Consumer<Reason> failed) {
    this.failed = failed;
  }

  /** Reads the first results. On the event loop, before the registration. */
  void readEarly(Subscription subscription) {
    long upTo = connection.relay().stored().store().visibleOffset();
    List<List<CurrentState>> states = Collections.nCopies(subscription.filters().size(), List.of());
    StoredPhase phase = phase(subscription, upTo, states, noSearches(subscription));
    if (phase.readEarly()) {
      early = phase;
    }
  }

  @Override
  public void start(Subscription subscription, long upTo, List<List<CurrentState>> states) {
    connection.relay().live().assertCurrent();
    StoredPhase read = early;
    early = null;
    if (read != null && states.stream().allMatch(List::isEmpty) && read.isValidUpTo(upTo)) {
      if (!read.endEarly()) {
        begin(read);
      }
      return;
    }
    if (read != null) {
      read.drop();
    }
    InstalledSearch installed = connection.relay().features().search();
    if (installed != null
        && subscription.filters().stream().anyMatch(filter -> filter.search() != null)) {
      new SearchPhase(
              connection,
              installed.search(),
              subscription,
              upTo,
              found -> begin(phase(subscription, upTo, states, found)),
              failed)
          .begin();
    } else {
      begin(phase(subscription, upTo, states, noSearches(subscription)));
    }
  }

  @Override
  public void abandon() {
    if (early != null) {
      early.drop();
      early = null;
    }
  }

  private static List<@Nullable FoundEvents> noSearches(Subscription subscription) {
    return Collections.nCopies(subscription.filters().size(), null);
  }

  /**
   * A phase that has not begun.
   *
   * @param found for each filter the events found by its search, null if it does not search
   */
  private StoredPhase phase(
      Subscription subscription,
      long upTo,
      List<List<CurrentState>> states,
      List<@Nullable FoundEvents> found) {
    List<Filter> filters = subscription.filters();
    List<FilterResults.Source> sources = new ArrayList<>(filters.size());
    for (int i = 0; i < filters.size(); i++) {
      sources.add(new FilterResults.Source(filters.get(i), states.get(i), found.get(i)));
    }
    return new StoredPhase(connection, subscription, upTo, sources, failed);
  }

  /** Queues the first turn. On the live lane, or after the searches on their lane. */
  private void begin(StoredPhase phase) {
    if (!connection.turns().begin(connection.client().owners(), phase)) {
      phase.drop();
      failed.accept(QueryAdmission.TOO_MANY_QUERIES);
    }
  }
}
