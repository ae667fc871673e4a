package gambit.app.load;

import gambit.app.load.LoadClient.Verb;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Queries stored events in a loop, with one REQ at a time on each connection: REQ, events, EOSE,
 * CLOSE, next REQ. On the event loop.
 */
final class QueryLoop {
  private static final int TIMEOUT_SECONDS = 60;

  private final Supplier<String> filters;
  private final long until;
  private final Latencies latencies = new Latencies();
  private final CompletableFuture<Latencies> done = new CompletableFuture<>();
  private long events;
  private int busy;

  private QueryLoop(Supplier<String> filters, long nanos) {
    this.filters = filters;
    this.until = System.nanoTime() + nanos;
  }

  /**
   * The measured answers.
   *
   * @param latencies from REQ to EOSE
   * @param events the mean number of events for each REQ
   */
  record Answers(Latencies latencies, double events) {}

  /** Queries for the given time. */
  static Answers ask(
      LoadClients peers, List<LoadClient> clients, Supplier<String> filters, long nanos)
      throws Exception {
    QueryLoop it = new QueryLoop(filters, nanos);
    peers.execute(
        () -> {
          it.busy = clients.size();
          clients.forEach(peer -> it.new Client(peer).next());
        });
    Latencies latencies = it.done.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    return new Answers(latencies, (double) it.events / latencies.size());
  }

  private final class Client implements LoadClient.Listener {
    private final LoadClient peer;
    private long asked;

    Client(LoadClient peer) {
      this.peer = peer;
      peer.listen(this);
    }

    void next() {
      String request = "[\"REQ\",\"q\"," + filters.get() + "]";
      asked = System.nanoTime();
      peer.send(request);
    }

    @Override
    public void received(Verb verb, ByteBuf text) {
      switch (verb) {
        case EVENT -> events++;
        case EOSE -> {
          latencies.add(System.nanoTime() - asked);
          peer.send("[\"CLOSE\",\"q\"]");
          if (System.nanoTime() < until) {
            next();
          } else if (--busy == 0) {
            done.complete(latencies);
          }
        }
        default -> done.completeExceptionally(LoadClient.unexpected(text));
      }
    }
  }
}
