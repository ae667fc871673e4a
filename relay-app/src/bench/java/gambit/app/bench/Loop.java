package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Begins operations on free clients, at the times of a {@link Pacing}. Its state belongs to the
 * event loop.
 */
final class Loop {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final BenchClients clients;
  private final Pacing pacing;
  private final Operations operations;
  private final Totals totals;
  private final Deque<BenchClient> free = new ArrayDeque<>(); // each as often as it may begin
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private int underWay;
  private volatile long lastEnd = System.nanoTime();

  /** What is done on the clients, on the event loop. */
  interface Operations {
    /** Whether there is another operation. */
    boolean hasNext();

    /**
     * Begins one; {@link Loop#freed} follows.
     *
     * @param begun the time from which its latency counts
     */
    void begin(BenchClient client, long begun, Loop loop);
  }

  Loop(BenchClients clients, Pacing pacing, Operations operations, Totals totals) {
    this.clients = clients;
    this.pacing = pacing;
    this.operations = operations;
    this.totals = totals;
  }

  Totals totals() {
    return totals;
  }

  /**
   * Runs until the last operation has ended, and counts time and CPU.
   *
   * @param each the number of operations under way on each client
   * @param server whose CPU is counted; null to count none
   */
  void run(Collection<BenchClient> on, int each, @Nullable ServerProcess server)
      throws RelayFailure {
    ServerProcess.Cpu cpu = server == null ? null : server.cpu();
    long begun = System.nanoTime();
    begin(on, each);
    if (pacing.isOpen()) {
      clients.pace(pacing::next, () -> done.isDone() || pacing.isOver(0), this::offer);
      clients.execute(this::offer);
    }
    awaitEnd();
    long nanos = System.nanoTime() - begun;
    totals.took(nanos, server == null || cpu == null ? null : server.cpu().minus(cpu));
  }

  /** Begins a closed loop without waiting for its end. */
  void begin(Collection<BenchClient> on, int each) {
    clients.execute(
        () -> {
          for (int i = 0; i < each; i++) {
            free.addAll(on);
          }
          offer();
        });
  }

  private void awaitEnd() throws RelayFailure {
    CompletableFuture<Boolean> end = done.thenApply(nothing -> true);
    while (!BenchClients.await(
        end.copy().completeOnTimeout(false, 1, TimeUnit.SECONDS),
        TIMEOUT,
        "The measurement failed")) {
      if (System.nanoTime() - lastEnd > TIMEOUT.toNanos()) {
        throw new RelayFailure("The relay has answered nothing for " + TIMEOUT.toSeconds() + " s.");
      }
    }
  }

  /** Begins what is due. */
  private void offer() {
    try {
      beginWhatIsDue();
    } catch (RuntimeException e) {
      done.completeExceptionally(e);
    }
  }

  private void beginWhatIsDue() {
    long now = System.nanoTime();
    while (!free.isEmpty() && operations.hasNext() && pacing.isDue(now)) {
      underWay++;
      operations.begin(free.remove(), pacing.begin(now), this);
    }
    if (underWay == 0 && (!operations.hasNext() || pacing.isOver(now))) {
      done.complete(null);
    }
  }

  /** A client is free; what it did has been counted, if it counts. */
  void freed(BenchClient client) {
    lastEnd = System.nanoTime();
    underWay--;
    free.add(client);
    offer();
  }

  /** Ends the run: nothing further can be measured. */
  void fail(String reason) {
    done.completeExceptionally(new RelayFailure(reason));
  }
}
