package gambit.app.load;

import gambit.app.load.LoadClient.Verb;
import gambit.core.model.Event;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Publishes at a fixed rate on one connection, and measures the latency until another connection
 * has received each event. On the event loop.
 */
final class PacedPublishing {
  private final Map<String, Long> underWay = new HashMap<>();
  private final Latencies latencies = new Latencies();
  private final CompletableFuture<Latencies> done = new CompletableFuture<>();
  private final Iterator<Event> events;

  private PacedPublishing(List<Event> events) {
    this.events = events.iterator();
  }

  /** Completes when the subscriber, whose filters must match all events, has received them. */
  static CompletableFuture<Latencies> publish(
      LoadClients peers,
      LoadClient publisher,
      LoadClient subscriber,
      List<Event> events,
      int perSecond) {
    PacedPublishing it = new PacedPublishing(events);
    publisher.listen(
        (verb, text) -> {
          if (verb != Verb.OK || !LoadClient.isSettled(text)) {
            it.done.completeExceptionally(LoadClient.unexpected(text));
          }
        });
    subscriber.listen(
        (verb, text) -> {
          if (verb == Verb.EVENT) {
            it.received(LoadClient.eventId(text));
          } else {
            it.done.completeExceptionally(LoadClient.unexpected(text));
          }
        });
    peers.every(1_000_000_000L / perSecond, it.done, () -> it.next(publisher));
    return it.done;
  }

  private void next(LoadClient publisher) {
    if (events.hasNext()) {
      Event event = events.next();
      byte[] frame = BenchmarkContext.frame(event);
      underWay.put(event.id().hex(), System.nanoTime());
      publisher.send(frame);
    }
  }

  private void received(String id) {
    Long sent = underWay.remove(id);
    if (sent != null) {
      latencies.add(System.nanoTime() - sent);
    }
    if (underWay.isEmpty() && !events.hasNext()) {
      done.complete(latencies);
    }
  }
}
