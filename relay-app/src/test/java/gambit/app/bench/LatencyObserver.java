package gambit.app.bench;

import gambit.app.bench.Message.Verb;
import gambit.app.tool.client.RelayFailure;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A polite client that sends one small request at a time and measures each latency. On its event
 * loop.
 */
final class LatencyObserver implements BenchClient.Listener {
  private static final long PAUSE = 2_000_000;
  private static final int TIMEOUT_SECONDS = 120;
  private static final int CONTENT = 280;

  private final BenchClient peer;
  private final Supplier<String> filters;
  private final Signer author = Signer.random();
  private final Map<Probe, Latencies> latencies = new EnumMap<>(Probe.class);
  private final CompletableFuture<Map<Probe, Latencies>> done = new CompletableFuture<>();
  private final long until;
  private final AtomicLong nextTime = new AtomicLong(System.nanoTime());
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

  private LatencyObserver(BenchClient peer, Supplier<String> filters, long nanos) {
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
      BenchClients peers, BenchClient peer, Supplier<String> filters, long nanos) throws Exception {
    LatencyObserver it = new LatencyObserver(peer, filters, nanos);
    peer.listen(it);
    peers.pace(
        it.nextTime::get,
        it.done::isDone,
        () -> {
          it.nextTime.addAndGet(PAUSE);
          it.next();
        });
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
          case EVENT -> "[\"EVENT\"," + note() + "]";
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

  private Event note() {
    long now = System.currentTimeMillis() / 1000;
    return author.sign(now, 1, Tags.NONE, "x".repeat(CONTENT) + System.nanoTime());
  }

  @Override
  public void received(Message message) {
    Verb verb = message.verb();
    if (verb == probe.answer && busy) {
      latencies.get(probe).add(System.nanoTime() - begun);
      busy = false;
    } else if (verb != Verb.EVENT && verb != Verb.AUTH) {
      ended("unexpected message: " + message.text());
    }
  }

  @Override
  public void ended(String reason) {
    done.completeExceptionally(new RelayFailure(reason));
  }
}
