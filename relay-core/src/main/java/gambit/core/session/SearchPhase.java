package gambit.core.session;

import gambit.core.feature.EventSearch;
import gambit.core.feature.EventSearch.Found;
import gambit.core.feature.EventSearch.Refused;
import gambit.core.live.CurrentState;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes the searches of one subscription (NIP-50), before its stored phase: it waits until the
 * search takes account of everything up to the subscription's watermark, then searches for one
 * filter in each turn on the lane of searches. One turn at a time.
 */
final class SearchPhase extends QueryTask {
  private static final LimitedLog LOG = LimitedLog.of(SearchPhase.class);

  private final EventSearch search;
  private final Subscription subscription;
  private final long upTo;
  private final List<List<CurrentState>> states;
  private final List<@Nullable Query> found = new ArrayList<>(); // for each filter so far

  SearchPhase(
      Connection connection,
      EventSearch search,
      Subscription subscription,
      long upTo,
      List<List<CurrentState>> states) {
    super(connection);
    this.search = search;
    this.subscription = subscription;
    this.upTo = upTo;
    this.states = states;
  }

  /** Why a text for which the filters search cannot be searched for, or null. */
  static @Nullable Reason objection(List<Filter> filters, EventSearch search) {
    for (Filter filter : filters) {
      if (filter.search() != null) {
        Reason objection = search.objection(filter.search()).orElse(null);
        if (objection != null) {
          return objection;
        }
      }
    }
    return null;
  }

  /** Whether an event meets all conditions of a filter, its search included. On the live lane. */
  static Predicate<Event> liveCondition(List<Filter> filters, EventSearch search) {
    Predicate<Event> any = event -> false;
    for (Filter filter : filters) {
      Predicate<Event> matches = filter::matches;
      any =
          any.or(filter.search() == null ? matches : matches.and(search.matcher(filter.search())));
    }
    return any;
  }

  void begin() {
    search.whenCurrent(
        upTo,
        () -> {
          if (!isCancelled() && !connection.turns.searches().submit(connection.owners(), this)) {
            subscription.fail(QueryAdmission.TOO_MANY_QUERIES);
          }
        });
  }

  @Override
  public boolean isCancelled() {
    return subscription.isClosed() || !outbox.isOpen();
  }

  @Override
  public void run() {
    if (isCancelled()) {
      return;
    }
    try {
      beginTurn();
      searchNext();
    } catch (RuntimeException e) {
      LOG.error("A search failed; its subscription is closed", e);
      subscription.fail(Reason.error("the search failed"));
    }
  }

  private void searchNext() {
    List<Filter> filters = subscription.filters();
    while (found.size() < filters.size() && filters.get(found.size()).search() == null) {
      found.add(null);
    }
    if (found.size() < filters.size()) {
      Filter filter = filters.get(found.size());
      EventSearch.Result result =
          search.find(
              filter, kind -> relay.features().guards().mayFind(kind, filter, connection), upTo);
      if (result instanceof Refused refused) {
        endTurn(0, 0);
        reportIfSlow("search", filters);
        subscription.fail(refused.reason());
        return;
      }
      long[] offsets = ((Found) result).offsets();
      endTurn(offsets.length, offsets.length);
      found.add(new FoundEvents(filter, offsets));
    }
    if (found.size() == filters.size()) {
      reportIfSlow("search", filters);
      subscription.beginPages(upTo, states, found);
    } else {
      resume();
    }
  }

  @Override
  public void resume() {
    connection.turns.searches().put(this);
  }

  /**
   * The events that a search has found for one filter, the best match first. Each is read from the
   * store when its page is read, and left out if it is no longer stored. 8 bytes for each event.
   */
  private final class FoundEvents implements Query {
    private final Filter filter;
    private final long[] offsets;
    private int next;

    FoundEvents(Filter filter, long[] offsets) {
      this.filter = filter;
      this.offsets = offsets;
    }

    /** The events are in the order in which they were found, unlike those of other queries. */
    @Override
    public Page next(int max, int maxBytes) {
      List<StoredEvent> events = new ArrayList<>();
      int examined = 0;
      int bytes = 0;
      while (next < offsets.length
          && events.size() < max
          && bytes < maxBytes
          && examined < Query.PAGE_ENTRIES) {
        long offset = offsets[next++];
        examined++;
        Optional<StoredEvent> stored = relay.stored().store().byOffset(offset);
        if (stored.isEmpty()) {
          search.forget(offset);
        } else if (filter.matches(stored.get().event())) {
          events.add(stored.get());
          bytes += stored.get().event().json().length;
        }
      }
      return new Page(events, next == offsets.length, examined);
    }
  }
}
