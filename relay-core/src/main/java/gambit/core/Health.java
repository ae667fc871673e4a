package gambit.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.ingest.Writer;
import gambit.core.management.Management;
import gambit.core.net.RelayServer;
import gambit.core.replication.ClusterNode;
import gambit.core.store.EventStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The health of a relay, for the monitoring of its process. Any thread. */
public final class Health {
  private final AtomicBoolean ending;
  private final RelayServer server;
  private final EventStore store;
  private final @Nullable ClusterNode cluster;
  private final Writer writer;
  private final Map<String, Executor> threads;

  @GuardedBy("this")
  private final Map<String, CompletableFuture<Void>> turns = new TreeMap<>();

  Health(
      AtomicBoolean ending,
      RelayServer server,
      EventStore store,
      @Nullable ClusterNode cluster,
      Writer writer,
      Map<String, Executor> threads) {
    this.ending = ending;
    this.server = server;
    this.store = store;
    this.cluster = cluster;
    this.writer = writer;
    this.threads = Map.copyOf(threads);
  }

  public Optional<String> objection() {
    if (ending.get()) {
      return Optional.of("the relay is ending");
    }
    if (!server.isListening()) {
      return Optional.of("the relay's port is closed");
    }
    if (cluster != null && cluster.state().healthObjection().isPresent()) {
      return cluster.state().healthObjection();
    }
    if (!store.hasRoomForClients()) {
      return Optional.of("the store is full");
    }
    return writer.isFailing()
        ? Optional.of("the last commit of events has failed")
        : Optional.empty();
  }

  public Optional<String> remark() {
    long damaged = store.damagedRecords();
    return damaged == 0
        ? Optional.empty()
        : Optional.of("damaged records found in the store: " + damaged + "; run gambit check");
  }

  /**
   * Queues a task on every lane and event loop, and names the threads that have not run it in time,
   * without those that wait for the cluster; none while the relay is ending.
   */
  public List<String> stuck(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    List<String> stuck = new ArrayList<>();
    for (var turn : requestTurns().entrySet()) {
      if (isExcused(turn.getKey())) {
        continue;
      }
      try {
        turn.getValue().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException e) {
        if (!isExcused(turn.getKey())) {
          stuck.add(turn.getKey());
        }
      }
    }
    return ending.get() ? List.of() : stuck;
  }

  /**
   * Whether a thread may wait for what a restart would not bring back: the writer of a leader for
   * the log, management for a leader.
   */
  private boolean isExcused(String thread) {
    return cluster != null
        && ((thread.equals("writer") && cluster.isWaitingForLog())
            || (thread.equals(Management.LANE)
                && (!cluster.leads()
                    || cluster.isWaitingForLog()
                    || cluster.forwarding().objection().isPresent())));
  }

  /** At most one such task is in each inbox, however often this is called. */
  private synchronized Map<String, CompletableFuture<Void>> requestTurns() {
    threads.forEach(
        (name, thread) ->
            turns.compute(
                name, (n, last) -> last == null || last.isDone() ? requestTurn(thread) : last));
    return new TreeMap<>(turns);
  }

  private static CompletableFuture<Void> requestTurn(Executor thread) {
    try {
      return CompletableFuture.runAsync(() -> {}, thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
