package gambit.app.load;

import gambit.app.load.LoadClient.Verb;
import gambit.core.crypto.Signer;
import io.netty.buffer.ByteBuf;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A polite client that sends one small request at a time and measures each latency. On its event
 * loop.
 */
final class LatencyObserver implements LoadClient.Listener {
  private static final long PAUSE = 2_000_000;
  private static final int TIMEOUT_SECONDS = 60;
  private static final int CONTENT = 280;

  private final LoadClient peer;
  private final Supplier<String> filters;
  private final Signer author = Signer.random();
  private final Map<Probe, Latencies> latencies = new EnumMap<>(Probe.class);
  private final CompletableFuture<Map<Probe, Latencies>> done = new CompletableFuture<>();
  private final long until;
  private Probe probe = Probe.EVENT;
  private int turn;
  private boolean busy;
  private long begun;

  /** The kinds of requests, sent in turn, with the message that answers each. */
  enum Probe {
    REQ(Verb.EOSE),
    PING(Verb.PONG),
    /** A CLOSE has no answer, so a ping follows it. */
    CLOSE(Verb.PONG),
    EVENT(Verb.OK);

    private final Verb answer;

    Probe(Verb answer) {
      this.answer = answer;
    }
  }

  private static final List<Probe> PROBES = List.of(Probe.values());

  private LatencyObserver(LoadClient peer, Supplier<String> filters, long nanos) {
    this.peer = peer;
    this.filters = filters;
    this.until = System.nanoTime() + nanos;
    for (Probe it : Probe.values()) {
      latencies.put(it, new Latencies());
    }
  }

  /**
   * Measures for the given time.
   *
   * @param filters of each REQ
   */
  static Map<Probe, Latencies> watch(
      LoadClients peers, LoadClient peer, Supplier<String> filters, long nanos) throws Exception {
    LatencyObserver it = new LatencyObserver(peer, filters, nanos);
    peer.listen(it);
    peers.every(PAUSE, it.done, it::next);
    return it.done.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private void next() {
    if (busy) {
      return;
    }
    if (System.nanoTime() > until) {
      done.complete(latencies);
      return;
    }
    probe = PROBES.get(++turn % PROBES.size());
    String text =
        switch (probe) {
          case REQ -> "[\"REQ\",\"q\"," + filters.get() + "]";
          case PING -> "";
          case CLOSE -> "[\"CLOSE\",\"q\"]";
          case EVENT -> "[\"EVENT\"," + BenchmarkContext.note(author, CONTENT) + "]";
        };
    busy = true;
    begun = System.nanoTime();
    if (probe != Probe.PING) {
      peer.send(text);
    }
    if (probe.answer == Verb.PONG) {
      peer.ping();
    }
  }

  @Override
  public void received(Verb verb, ByteBuf text) {
    if (verb == probe.answer && busy) {
      latencies.get(probe).add(System.nanoTime() - begun);
      busy = false;
    } else if (verb != Verb.EVENT) {
      done.completeExceptionally(LoadClient.unexpected(text));
    }
  }
}
