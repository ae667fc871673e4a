package gambit.app.client;

import gambit.core.model.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The queries that the relay has not answered completely, by the ids of their REQs, in order. They
 * are bounded, and so are the events of each. Owned by the thread of its {@link RelayLink}.
 */
final class UnansweredQueries {
  private static final int MAX_QUERIES = 500;

  /** The events that one query may return; more are ignored. */
  private static final int MAX_EVENTS = 20_000;

  private record Query(String filters, List<Event> found, CompletableFuture<List<Event>> result) {}

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
    queries.put(id, new Query(filters, new ArrayList<>(), result));
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
