package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.LiveLane;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes: it drains its inbox, decides every request against one transaction,
 * commits them as one group, and only then releases the answers and events. A request whose
 * callback throws fails alone: the others of its batch are committed and answered.
 *
 * <p>Bound: the number of requests under way, from admission until their output has been delivered
 * to the outboxes; this also bounds the writer's output on the live lane. A share is reserved for
 * features. {@link #submit} and {@link #store} may be called from any thread and never block.
 */
public final class Writer implements Publisher, AutoCloseable {
  /** A batch ends with the request that reaches this number of bytes. */
  private static final long BATCH_BYTES = 8 << 20;

  /** How long a failed commit counts as a sign that the next one will fail. */
  private static final Duration FAILURE_MEMORY = Duration.ofMinutes(1);

  private static final LimitedLog LOG = LimitedLog.of(Writer.class);
  private static final WriteRequest END =
      new WriteRequest(transaction -> WriteOutcome.STORED, 0, outcome -> List.of(), outcome -> {});

  private final LinkedBlockingQueue<WriteRequest> inbox = new LinkedBlockingQueue<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final int batchRequests;
  private final int capacity;
  private final int reserve;
  private final EventStore store;
  private final StorageRules rules;
  private final LiveLane live;
  private final Consumer<Throwable> onDeath;
  private final Thread thread;
  private final InstantSource time;
  private final WriterMetrics metrics;
  private long syncNanos; // of the last commit; the writer's thread only
  private volatile @Nullable Instant failedAt; // when the last commit failed, if it did

  /**
   * Starts the writer.
   *
   * @param batchRequests the most requests of one batch; the writer never waits to fill it
   * @param capacity the most requests under way
   * @param reserve how many of them are reserved for features
   */
  public Writer(
      EventStore store,
      StorageRules rules,
      LiveLane live,
      int batchRequests,
      int capacity,
      int reserve,
      InstantSource time,
      Metrics metrics,
      Consumer<Throwable> onDeath) {
    this.store = store;
    this.metrics = new WriterMetrics(metrics);
    this.time = time;
    this.rules = rules;
    this.live = live;
    this.batchRequests = batchRequests;
    this.capacity = capacity;
    this.reserve = reserve;
    this.onDeath = onDeath;
    this.thread = new Thread(this::run, "writer");
    this.thread.start();
  }

  /**
   * Stores a client's event; false, without effect, when too many requests are under way.
   *
   * @param isRefused whether the event must not be stored after all; asked on the writer's thread
   */
  boolean submit(
      Event event, BooleanSupplier isRefused, Function<WriteOutcome, List<Outgoing>> outcome) {
    return admit(
        WriteRequest.of(
            rules, Commit.of(List.of(event)), isRefused, false, time, outcome, settled -> {}),
        capacity - reserve);
  }

  @Override
  public boolean store(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    return store(commit, () -> false, outcome, settled);
  }

  /**
   * As the other method, unless the commit is refused.
   *
   * @param isRefused whether the commit must have no effect after all; asked on the writer's thread
   */
  public boolean store(
      Commit commit,
      BooleanSupplier isRefused,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    for (Row row : commit.rows()) {
      EventStore.requireValidRowName(row.table(), row.key());
    }
    return admit(WriteRequest.of(rules, commit, isRefused, true, time, outcome, settled), capacity);
  }

  /** Queues maintenance of the store beyond the bound; the caller queues one request at a time. */
  void maintain(Function<Transaction, WriteOutcome> change, Consumer<WriteOutcome> settled) {
    underWay.incrementAndGet();
    inbox.add(new WriteRequest(change, 0, outcome -> List.of(), settled));
  }

  /** Runs a task on the writer's thread, after the queued requests. */
  public void execute(Runnable task) {
    maintain(transaction -> WriteOutcome.STORED, outcome -> task.run());
  }

  /** Whether the last commit of events failed, less than a minute ago. Any thread. */
  public boolean isFailing() {
    Instant failed = failedAt;
    return failed != null && time.instant().isBefore(failed.plus(FAILURE_MEMORY));
  }

  @Override
  public void send(List<Outgoing> outgoing) {
    live.release(outgoing);
  }

  private boolean admit(WriteRequest request, int limit) {
    if (underWay.incrementAndGet() > limit) {
      underWay.decrementAndGet();
      return false;
    }
    inbox.add(request);
    return true;
  }

  /** Commits all admitted requests, then ends the thread and waits for it. */
  @Override
  public void close() {
    inbox.add(END);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<WriteRequest> batch = new ArrayList<>(batchRequests);
    try {
      boolean open = true;
      while (open) {
        collect(batch);
        open = !batch.remove(END);
        if (!batch.isEmpty()) {
          write(batch);
        }
        batch.clear();
      }
    } catch (Throwable e) {
      onDeath.accept(e);
    }
  }

  /** Waits for a request, and adds those that are queued after it. */
  private void collect(List<WriteRequest> batch) throws InterruptedException {
    WriteRequest request = inbox.take();
    long bytes = 0;
    while (request != null) {
      batch.add(request);
      bytes += request.bytes();
      request = batch.size() < batchRequests && bytes < BATCH_BYTES ? inbox.poll() : null;
    }
  }

  /** Throws unless called on the writer's thread, the only one that changes the store. */
  void assertCurrent() {
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException("on " + Thread.currentThread().getName());
    }
  }

  private static boolean adds(WriteRequest request) {
    return request.bytes() > 0;
  }

  private void write(List<WriteRequest> batch) {
    assertCurrent();
    long start = System.nanoTime();
    List<WriteOutcome> outcomes = commit(batch);
    long end = System.nanoTime();
    boolean isMeasured = false;
    for (WriteRequest request : batch) {
      if (adds(request)) {
        metrics.begun(request, start);
        isMeasured = true;
      }
    }
    if (isMeasured) {
      metrics.committed(start, end, syncNanos);
    }
    List<Outgoing> outgoing = new ArrayList<>(batch.size() * 4);
    for (int i = 0; i < batch.size(); i++) {
      for (Outgoing item : output(batch.get(i), outcomes.get(i))) {
        outgoing.add(item);
      }
    }
    int done = batch.size();
    boolean hasOutput = !outgoing.isEmpty();
    live.release(
        outgoing,
        store.lastOffset(),
        () -> {
          underWay.addAndGet(-done);
          if (hasOutput) {
            metrics.delivered(end);
          }
        });
    for (int i = 0; i < batch.size(); i++) {
      settle(batch.get(i), outcomes.get(i));
    }
  }

  /** Commits the changes of all requests, except those whose own change throws. */
  private List<WriteOutcome> commit(List<WriteRequest> batch) {
    BitSet broken = new BitSet();
    try {
      List<WriteOutcome> outcomes;
      do {
        outcomes = attempt(batch, broken);
      } while (outcomes.isEmpty());
      rules.committed();
      if (!broken.isEmpty()) {
        metrics.commitFailed();
      }
      if (hasAdded(batch, broken)) {
        failedAt = null;
      } else if (!broken.isEmpty()) {
        failedAt = time.instant();
      }
      return outcomes;
    } catch (IOException | RuntimeException e) {
      rules.undone();
      failedAt = time.instant();
      metrics.commitFailed();
      LOG.error("A commit failed; its {} requests are answered with an error", batch.size(), e);
      return Collections.nCopies(batch.size(), WriteOutcome.FAILED);
    }
  }

  private static boolean hasAdded(List<WriteRequest> batch, BitSet broken) {
    for (int i = 0; i < batch.size(); i++) {
      if (adds(batch.get(i)) && !broken.get(i)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Commits one transaction with the changes of all requests that are not broken. When a change
   * throws, its effects on the transaction are unknown, so the transaction is rolled back and the
   * request is added to the broken ones.
   *
   * @param broken the indexes of the broken requests in the batch
   * @return the outcomes; empty when another attempt is needed
   */
  private List<WriteOutcome> attempt(List<WriteRequest> batch, BitSet broken) throws IOException {
    List<WriteOutcome> outcomes = new ArrayList<>(batch.size());
    syncNanos = 0;
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < batch.size(); i++) {
        try {
          outcomes.add(
              broken.get(i) ? WriteOutcome.FAILED : batch.get(i).change().apply(transaction));
        } catch (RuntimeException e) {
          LOG.error("A change could not be applied; its request is answered with an error", e);
          broken.set(i);
          rules.undone();
          return List.of();
        }
      }
      transaction.commit();
      syncNanos = transaction.syncNanos();
      return outcomes;
    }
  }

  /** The output of a request; if its callback throws, the output for a failed request. */
  private static List<Outgoing> output(WriteRequest request, WriteOutcome outcome) {
    try {
      return request.outcome().apply(outcome);
    } catch (RuntimeException e) {
      LOG.error("The output of a request failed; this is a bug", e);
      return outcome == WriteOutcome.FAILED ? List.of() : output(request, WriteOutcome.FAILED);
    }
  }

  private static void settle(WriteRequest request, WriteOutcome outcome) {
    try {
      request.settled().accept(outcome);
    } catch (RuntimeException e) {
      LOG.error("A request could not be settled; this is a bug", e);
    }
  }
}
