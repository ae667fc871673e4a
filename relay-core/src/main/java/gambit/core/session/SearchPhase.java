package gambit.core.session;

import gambit.core.feature.EventSearch;
import gambit.core.feature.EventSearch.Found;
import gambit.core.feature.EventSearch.Refused;
import gambit.core.lane.TurnQueue;
import gambit.core.log.LimitedLog;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the searches of one subscription (NIP-50), before its stored phase: it waits until the
 * search takes account of everything up to the subscription's watermark, then searches for one
 * filter in each turn on the lane of searches. One turn at a time.
 */
final class SearchPhase implements TurnQueue.Task {
  private static final LimitedLog LOG = LimitedLog.of(SearchPhase.class);

  private final ConnectionContext connection;
  private final EventSearch search;
  private final Subscription subscription;
  private final long upTo;
  private final Consumer<List<@Nullable FoundEvents>> then;
  private final Consumer<Reason> failed;
  private final List<@Nullable FoundEvents> found = new ArrayList<>(); // for each filter so far
  private final QueryEffort effort = new QueryEffort();

  /**
   * Prepares the searches.
   *
   * @param upTo the highest offset that may be found
   * @param then receives the events found for each filter, null for a filter that does not search;
   *     called on any thread
   * @param failed ends the subscription; called on any thread
   */
  SearchPhase(
      ConnectionContext connection,
      EventSearch search,
      Subscription subscription,
      long upTo,
      Consumer<List<@Nullable FoundEvents>> then,
      Consumer<Reason> failed) {
    this.connection = connection;
    this.search = search;
    this.subscription = subscription;
    this.upTo = upTo;
    this.then = then;
    this.failed = failed;
  }

  void begin() {
    search.whenCurrent(
        upTo,
        () -> {
          if (!isCancelled()
              && !connection.turns().beginSearch(connection.client().owners(), this)) {
            failed.accept(QueryAdmission.TOO_MANY_QUERIES);
          }
        });
  }

  @Override
  public boolean isCancelled() {
    return subscription.isClosed() || !connection.outbox().isOpen();
  }

  @Override
  public void run() {
    if (isCancelled()) {
      return;
    }
    try {
      effort.beginTurn();
      searchNext();
    } catch (RuntimeException e) {
      LOG.error("A search failed; its subscription is closed", e);
      failed.accept(Reason.error("the search failed"));
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
              filter,
              kind ->
                  connection.relay().features().guards().mayFind(kind, filter, connection.client()),
              upTo);
      if (result instanceof Refused refused) {
        endTurn(0);
        reportIfSlow();
        failed.accept(refused.reason());
        return;
      }
      long[] offsets = ((Found) result).offsets();
      endTurn(offsets.length);
      found.add(new FoundEvents(connection.relay().stored().store(), search, filter, offsets));
    }
    if (found.size() == filters.size()) {
      reportIfSlow();
      then.accept(found);
    } else {
      connection.turns().continueSearch(this);
    }
  }

  private void endTurn(int events) {
    effort.endTurn(events, events);
  }

  private void reportIfSlow() {
    connection
        .relay()
        .stored()
        .slowQueries()
        .report("search", subscription.filters(), effort, connection.client().address());
  }
}
