package gambit.app.load;

import gambit.app.load.Peer.Verb;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks for stored events, one REQ at a time on each connection: REQ, events, EOSE, CLOSE, and the
 * next one. On the event loop.
 */
final class Asking {
  private static final int PATIENCE_SECONDS = 60;

  private final Supplier<String> filters;
  private final long until;
  private final Latencies latencies = new Latencies();
  private final CompletableFuture<Latencies> done = new CompletableFuture<>();
  private long events;
  private int busy;

  private Asking(Supplier<String> filters, long nanos) {
    this.filters = filters;
    this.until = System.nanoTime() + nanos;
  }

  /**
   * What was seen of the answers.
   *
   * @param latencies from REQ to EOSE
   * @param events how many were found, for each REQ
   */
  record Answers(Latencies latencies, double events) {}

  /** Goes on asking for so long. */
  static Answers ask(Peers peers, List<Peer> clients, Supplier<String> filters, long nanos)
      throws Exception {
    Asking it = new Asking(filters, nanos);
    peers.execute(
        () -> {
          it.busy = clients.size();
          clients.forEach(peer -> it.new Client(peer).next());
        });
    Latencies latencies = it.done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return new Answers(latencies, (double) it.events / latencies.size());
  }

  private final class Client implements Peer.Listener {
    private final Peer peer;
    private long asked;

    Client(Peer peer) {
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
        default -> done.completeExceptionally(Peer.unexpected(text));
      }
    }
  }
}
