package gambit.app.tool.client;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * The queries that the relay has not answered completely, in order. They are bounded, and so are
 * the events of each. Owned by the thread of its {@link RelayLink}.
 */
final class UnansweredQueries {
  private static final int MAX_QUERIES = 500;

  /** The events that one query may return; more are ignored. */
  private static final int MAX_EVENTS = 20_000;

  /** How often one query is sent again after a refusal that may pass. */
  private static final int MAX_REPEATS = 5;

  private static final Set<String> PASSING = Set.of("auth-required", "rate-limited", "error");

  private final RelaySession session;
  private final EventVerifier verifier;
  private final BiConsumer<Duration, Runnable> later;
  private final Set<UnansweredQuery> queries = new LinkedHashSet<>();
  private int number;

  /**
   * No queries.
   *
   * @param later runs a task after a time, unless the connection has been lost by then
   */
  UnansweredQueries(
      RelaySession session, EventVerifier verifier, BiConsumer<Duration, Runnable> later) {
    this.session = session;
    this.verifier = verifier;
    this.later = later;
  }

  /** The events of some filters; the result fails at once if there are too many queries. */
  CompletableFuture<List<Event>> query(String filters) {
    if (queries.size() >= MAX_QUERIES) {
      return CompletableFuture.failedFuture(
          new UnansweredException("The relay has left too many queries unanswered."));
    }
    UnansweredQuery query = new UnansweredQuery("query-" + number++, filters);
    queries.add(query);
    query.send();
    return query.result;
  }

  /** Sends all queries over a new connection. */
  void sendAll() {
    queries.forEach(UnansweredQuery::send);
  }

  /** Fails all queries. */
  void close() {
    queries.forEach(
        query ->
            query.result.completeExceptionally(new UnansweredException("The client was closed.")));
    queries.clear();
  }

  /** One REQ. */
  private final class UnansweredQuery implements RelaySession.Handler {
    private final String id;
    private final String filters;
    private final CompletableFuture<List<Event>> result = new CompletableFuture<>();
    private final List<Event> found = new ArrayList<>();
    private final Backoff backoff = Backoff.ofRefusals();
    private int repeats;

    private UnansweredQuery(String id, String filters) {
      this.id = id;
      this.filters = filters;
    }

    void send() {
      found.clear();
      session.subscribe(id, filters, this);
    }

    @Override
    public void received(ReceivedMessage message) {
      switch (message.verb()) {
        case "EVENT" -> {
          Optional<Event> event = RelayLink.verified(message, verifier);
          if (found.size() < MAX_EVENTS) {
            event.ifPresent(found::add);
          }
        }
        case "EOSE" -> {
          session.unsubscribe(id);
          queries.remove(this);
          result.complete(found);
        }
        case "CLOSED" -> refused(message.text(2));
        default -> {} // a message of a NIP that this client does not use
      }
    }

    private void refused(String text) {
      RefusedException refusal = new RefusedException(text);
      if (PASSING.contains(refusal.prefix()) && repeats++ < MAX_REPEATS) {
        later.accept(backoff.next(), this::sendAgain);
      } else {
        session.unregister(id);
        queries.remove(this);
        result.completeExceptionally(refusal);
      }
    }

    private void sendAgain() {
      if (queries.contains(this)) {
        send();
      }
    }
  }
}
