package gambit.app.tool.client;

import gambit.core.model.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The queries that the relay has not answered completely, by the ids of their REQs, in order. They
 * are bounded, and so are the events of each. Owned by the thread of its {@link RelayLink}.
 */
final class UnansweredQueries {
  private static final int MAX_QUERIES = 500;

  /** The events that one query may return; more are ignored. */
  private static final int MAX_EVENTS = 20_000;

  /** How often one query is sent again after a refusal that may pass. */
  private static final int MAX_REPEATS = 5;

  private static final Set<String> PASSING = Set.of("auth-required", "rate-limited", "error");

  private static final class Query {
    private final String filters;
    private final CompletableFuture<List<Event>> result;
    private final List<Event> found = new ArrayList<>();
    private final Backoff backoff = RelayLink.retries();
    private int repeats;

    private Query(String filters, CompletableFuture<List<Event>> result) {
      this.filters = filters;
      this.result = result;
    }
  }

  private final Map<String, Query> queries = new LinkedHashMap<>();
  private int number;

  /**
   * Adds a query.
   *
   * @param result is completed with its events; fails at once if there are too many queries
   * @return the id of its REQ
   */
  Optional<String> add(String filters, CompletableFuture<List<Event>> result) {
    if (queries.size() >= MAX_QUERIES) {
      result.completeExceptionally(
          new UnansweredException("The relay has left too many queries unanswered."));
      return Optional.empty();
    }
    String id = "query-" + number++;
    queries.put(id, new Query(filters, result));
    return Optional.of(id);
  }

  boolean contains(String id) {
    return queries.containsKey(id);
  }

  /** Forgets the events of all queries, whose filters are returned by id, to be sent again. */
  Map<String, String> beginAgain() {
    Map<String, String> filters = new LinkedHashMap<>();
    queries.forEach(
        (id, query) -> {
          query.found.clear();
          filters.put(id, query.filters);
        });
    return filters;
  }

  void found(String id, Event event) {
    Query query = queries.get(id);
    if (query != null && query.found.size() < MAX_EVENTS) {
      query.found.add(event);
    }
  }

  /** The relay has sent all events of a query. */
  void served(String id) {
    Query query = queries.remove(id);
    if (query != null) {
      query.result.complete(query.found);
    }
  }

  /** The time after which a refused query is to be sent again, if it is. */
  Optional<Duration> delayAfter(String id, String reason) {
    Query query = queries.get(id);
    boolean mayPass = PASSING.contains(new RefusedException(reason).prefix());
    return query != null && mayPass && query.repeats++ < MAX_REPEATS
        ? Optional.of(query.backoff.next())
        : Optional.empty();
  }

  /** The filters of a query that is sent again, if it is still unanswered. */
  Optional<String> again(String id) {
    Query query = queries.get(id);
    if (query == null) {
      return Optional.empty();
    }
    query.found.clear();
    return Optional.of(query.filters);
  }

  /** The relay has refused a query. */
  void refused(String id, String reason) {
    Query query = queries.remove(id);
    if (query != null) {
      query.result.completeExceptionally(new RefusedException(reason));
    }
  }

  /** Fails all queries. */
  void close() {
    queries
        .values()
        .forEach(
            query ->
                query.result.completeExceptionally(
                    new UnansweredException("The client was closed.")));
    queries.clear();
  }
}
