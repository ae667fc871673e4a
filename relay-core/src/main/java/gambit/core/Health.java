package gambit.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.ingest.Writer;
import gambit.core.net.RelayServer;
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

/** How a relay is doing, for whoever watches over the process. Any thread. */
public final class Health {
  private final AtomicBoolean ending;
  private final RelayServer server;
  private final EventStore store;
  private final Writer writer;
  private final Map<String, Executor> threads;

  @GuardedBy("this")
  private final Map<String, CompletableFuture<Void>> turns = new TreeMap<>();

  /**
   * How this relay is doing.
   *
   * @param threads by their names, how they are handed something to do
   */
  Health(
      AtomicBoolean ending,
      RelayServer server,
      EventStore store,
      Writer writer,
      Map<String, Executor> threads) {
    this.ending = ending;
    this.server = server;
    this.store = store;
    this.writer = writer;
    this.threads = Map.copyOf(threads);
  }

  /** Why it takes no clients or none of their events just now; nothing when it does. */
  public Optional<String> objection() {
    if (ending.get()) {
      return Optional.of("the relay is ending");
    }
    if (!server.isListening()) {
      return Optional.of("the relay's port is closed");
    }
    if (!store.hasRoomForClients()) {
      return Optional.of("the store is full");
    }
    return writer.isFailing()
        ? Optional.of("the last commit of events has failed")
        : Optional.empty();
  }

  /** What its operator should know although it takes clients and their events. */
  public Optional<String> remark() {
    long damaged = store.damagedRecords();
    return damaged == 0
        ? Optional.empty()
        : Optional.of("damaged records found in the store: " + damaged + "; run gambit check");
  }

  /**
   * Asks every lane and event loop for a turn and waits for them.
   *
   * @return the names of those that had none in time, none of them while the relay is ending
   */
  public List<String> stuck(Duration patience) throws InterruptedException {
    long giveUp = System.nanoTime() + patience.toNanos();
    List<String> stuck = new ArrayList<>();
    for (var turn : askForTurns().entrySet()) {
      try {
        turn.getValue().get(giveUp - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException e) {
        stuck.add(turn.getKey());
      }
    }
    return ending.get() ? List.of() : stuck;
  }

  /** One at a time waits in each inbox, however often this is asked. */
  private synchronized Map<String, CompletableFuture<Void>> askForTurns() {
    threads.forEach(
        (name, thread) ->
            turns.compute(
                name, (n, last) -> last == null || last.isDone() ? askForTurn(thread) : last));
    return new TreeMap<>(turns);
  }

  private static CompletableFuture<Void> askForTurn(Executor thread) {
    try {
      return CompletableFuture.runAsync(() -> {}, thread);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
