package gambit.core.session;

import gambit.core.feature.EventSearch;
import gambit.core.live.CurrentState;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts the stored phase of one subscription when the live lane has registered it, in one of three
 * ways:
 *
 * <ol>
 *   <li>A filter searches: {@link SearchPhase}, then the query lane.
 *   <li>A small REQ, whose results were read before the registration, on the connection's event
 *       loop ({@link #readEarly}, {@link EarlyRead}), up to the newest commit that was visible
 *       then. They are valid if no later commit has been released since: they are then sent at
 *       once, with EOSE, so that the query lane is not woken.
 *   <li>Any other, or one whose early results are not valid: the query lane.
 * </ol>
 */
final class StoredPhaseStart implements Subscription.StoredPhaseStarter {
  private final ConnectionContext connection;
  private final @Nullable EventSearch search;
  private final BiConsumer<Subscription, Reason> failed;
  private @Nullable StoredPhase early; // passed from the event loop to the live lane

  /**
   * Prepares the start.
   *
   * @param search null if no filter searches
   * @param failed ends the subscription, on any thread, if the phase fails
   */
  StoredPhaseStart(
      ConnectionContext connection,
      @Nullable EventSearch search,
      BiConsumer<Subscription, Reason> failed) {
    this.connection = connection;
    this.search = search;
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
    if (search != null) {
      new SearchPhase(
              connection,
              search,
              subscription,
              upTo,
              found -> begin(subscription, phase(subscription, upTo, states, found)),
              reason -> failed.accept(subscription, reason))
          .begin();
    } else if (read != null && states.stream().allMatch(List::isEmpty) && read.isValidUpTo(upTo)) {
      early = null;
      if (!read.endEarly()) {
        begin(subscription, read);
      }
    } else {
      abandon();
      begin(subscription, phase(subscription, upTo, states, noSearches(subscription)));
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
    return new StoredPhase(
        connection, subscription, upTo, sources, reason -> failed.accept(subscription, reason));
  }

  /** Queues the first turn. On the live lane, or after the searches on their lane. */
  private void begin(Subscription subscription, StoredPhase phase) {
    if (!connection.turns().begin(connection.client().owners(), phase)) {
      phase.drop();
      failed.accept(subscription, QueryAdmission.TOO_MANY_QUERIES);
    }
  }
}
