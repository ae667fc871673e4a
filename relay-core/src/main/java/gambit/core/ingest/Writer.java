package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.Delivery;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.store.EventStore;
import gambit.core.store.StoreFailure;
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
import java.util.stream.IntStream;
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
public final class Writer implements AutoCloseable {
  /** A batch ends with the request that reaches these bytes, in a cluster earlier. */
  public static final long BATCH_BYTES = 8 << 20;

  /** How long a failed commit counts as a sign that the next one will fail. */
  private static final Duration FAILURE_MEMORY = Duration.ofMinutes(1);

  private static final LimitedLog LOG = LimitedLog.of(Writer.class);

  @SuppressWarnings("UnnecessaryLambda") // its identity counts
  private static final Function<Transaction, WriteOutcome> NO_CHANGE =
      transaction -> WriteOutcome.STORED;

  private static final Request END = new Request(NO_CHANGE, 0, outcome -> List.of(), outcome -> {});

  /**
   * A change to be made in a transaction, completely or not at all, and the callbacks that follow.
   * All three functions are called on the writer's thread.
   *
   * @param change called for each attempt to commit the batch; earlier ones were rolled back
   * @param bytes approximate size of what the change adds to the store
   * @param outcome returns the output; called once, and if it throws, or the commit on all nodes of
   *     a cluster does, once more with {@link WriteOutcome#FAILED}
   * @param settled called once, after the output was passed to the live lane
   * @param queuedAt by {@link System#nanoTime}
   */
  private record Request(
      Function<Transaction, WriteOutcome> change,
      long bytes,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled,
      long queuedAt) {
    Request(
        Function<Transaction, WriteOutcome> change,
        long bytes,
        Function<WriteOutcome, List<Outgoing>> outcome,
        Consumer<WriteOutcome> settled) {
      this(change, bytes, outcome, settled, System.nanoTime());
    }
  }

  private final LinkedBlockingQueue<Request> inbox = new LinkedBlockingQueue<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final Bounds bounds;
  private final EventStore store;
  private final StorageRules rules;
  private final Delivery live;
  private final Replication replication;
  private final @Nullable Thread thread;
  private final InstantSource time;
  private final WriterMetrics metrics;
  private long syncNanos; // of the last commit; the writer's thread only
  private long releasedOffset = -1; // up to which output was released; the writer's thread only
  private volatile @Nullable Instant failedAt; // when the last commit failed, if it did

  /**
   * The bounds of the writer.
   *
   * @param batchRequests the most requests of one batch; the writer never waits to fill it
   * @param batchBytes a batch ends with the request that reaches this number of bytes
   * @param commitBytes a feature's commit that adds more has no room: {@link WriteOutcome#FULL}
   * @param capacity the most requests under way
   * @param reserve how many of them are reserved for features
   */
  public record Bounds(
      int batchRequests, long batchBytes, long commitBytes, int capacity, int reserve) {}

  /**
   * Starts the writer.
   *
   * @param onDeath receives the error that ends the thread; null for a writer without a thread, for
   *     simulations: {@link #writeNext} does its work
   */
  public Writer(
      EventStore store,
      StorageRules rules,
      Delivery live,
      Replication replication,
      Bounds bounds,
      InstantSource time,
      Metrics metrics,
      @Nullable Consumer<Throwable> onDeath) {
    this.store = store;
    this.metrics = new WriterMetrics(metrics);
    this.time = time;
    this.rules = rules;
    this.live = live;
    this.replication = replication;
    this.bounds = bounds;
    this.thread = onDeath == null ? null : new Thread(() -> run(onDeath), "writer");
    if (thread != null) {
      thread.start();
    }
  }

  /**
   * Stores a client's event, unless it is refused after all, on the writer's thread; false, without
   * effect, when too many requests are under way.
   */
  boolean submit(Submission submission, BooleanSupplier isRefused) {
    return admit(
        toApply(
            Commit.of(List.of(submission.event())),
            isRefused,
            false,
            outcome -> output(submission, outcome),
            settled -> {}),
        bounds.capacity() - bounds.reserve());
  }

  private static List<Outgoing> output(Submission submission, WriteOutcome outcome) {
    return switch (outcome) {
      case STORED -> accepted(submission);
      case DUPLICATE -> List.of(submission.duplicate(outcome.reason()));
      default -> List.of(submission.refused(outcome.reason()));
    };
  }

  /** The output of a client's event that is stored, or spread if nobody stores it. */
  static List<Outgoing> accepted(Submission submission) {
    return List.of(submission.accepted(""), new Outgoing.Broadcast(submission.event(), List.of()));
  }

  /**
   * As {@link gambit.core.feature.Publisher#store}.
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
    return admit(
        commit.addedBytes() > bounds.commitBytes()
            ? new Request(transaction -> WriteOutcome.FULL, 0, outcome, settled)
            : toApply(commit, isRefused, true, outcome, settled),
        bounds.capacity());
  }

  /** A request to apply a commit by the rules; its copies of deleted events follow its output. */
  private Request toApply(
      Commit commit,
      BooleanSupplier isRefused,
      boolean mayUseReserve,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    List<Event> copies = new ArrayList<>(0);
    return new Request(
        transaction -> {
          copies.clear();
          return isRefused.getAsBoolean()
              ? WriteOutcome.BANNED
              : rules.apply(transaction, commit, mayUseReserve, time.instant(), copies::add);
        },
        commit.addedBytes(),
        result ->
            result == WriteOutcome.STORED && !copies.isEmpty()
                ? withCopies(outcome.apply(result), copies)
                : outcome.apply(result),
        settled);
  }

  private static List<Outgoing> withCopies(List<Outgoing> output, List<Event> copies) {
    List<Outgoing> all = new ArrayList<>(output);
    copies.forEach(copy -> all.add(new Outgoing.Broadcast(copy, List.of())));
    return all;
  }

  /** Queues maintenance of the store beyond the bound; the caller queues one request at a time. */
  void maintain(Function<Transaction, WriteOutcome> change, Consumer<WriteOutcome> settled) {
    underWay.incrementAndGet();
    inbox.add(new Request(change, 0, outcome -> List.of(), settled));
  }

  /** Runs a task on the writer's thread, after the queued requests. */
  public void execute(Runnable task) {
    maintain(NO_CHANGE, outcome -> task.run());
  }

  /** Whether the last commit of events failed, less than a minute ago. Any thread. */
  public boolean isFailing() {
    Instant failed = failedAt;
    return failed != null && time.instant().isBefore(failed.plus(FAILURE_MEMORY));
  }

  /**
   * Sends output that needs no commit. That of a cluster's leader takes its place among that of the
   * commits, since that is its order on all nodes.
   */
  public void send(List<Outgoing> outgoing) {
    if (replication.isCluster()) {
      underWay.incrementAndGet();
      inbox.add(new Request(NO_CHANGE, 0, outcome -> outgoing, outcome -> {}));
    } else {
      live.release(outgoing);
    }
  }

  private boolean admit(Request request, int limit) {
    if (thread != null && !thread.isAlive()) {
      return false; // as after another node has taken over
    }
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
      if (thread != null) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(Consumer<Throwable> onDeath) {
    List<Request> batch = new ArrayList<>(bounds.batchRequests());
    try {
      boolean open = true;
      while (open) {
        collect(inbox.take(), batch);
        open = !batch.remove(END);
        if (!batch.isEmpty()) {
          write(batch);
        }
        batch.clear();
      }
    } catch (Replication.Overtaken e) {
      LOG.warn("This node leads no more: {}", e.getMessage());
    } catch (Throwable e) {
      onDeath.accept(e);
    }
  }

  /** Writes the queued requests that fit into a batch; false if there is none. */
  public boolean writeNext() {
    Request first = inbox.poll();
    if (first == null) {
      return false;
    }
    List<Request> batch = new ArrayList<>();
    collect(first, batch);
    write(batch);
    return true;
  }

  private void collect(Request first, List<Request> batch) {
    Request request = first;
    long bytes = 0;
    while (request != null) {
      batch.add(request);
      bytes += request.bytes();
      request =
          batch.size() < bounds.batchRequests() && bytes < bounds.batchBytes()
              ? inbox.poll()
              : null;
    }
  }

  /** Throws unless called on the writer's thread, the only one that changes the store. */
  void assertCurrent() {
    if (thread != null && Thread.currentThread() != thread) {
      throw new IllegalStateException("on " + Thread.currentThread().getName());
    }
  }

  private void write(List<Request> batch) {
    assertCurrent();
    for (int done = 0; done < batch.size(); ) {
      done += writeFirst(batch.subList(done, batch.size()));
    }
  }

  /** Writes as many of some requests as fit into a commit; returns their number. */
  private int writeFirst(List<Request> requests) {
    long start = System.nanoTime();
    Decided decided = commit(requests);
    List<WriteOutcome> outcomes = decided.outcomes();
    List<Request> batch = requests.subList(0, outcomes.size());
    List<Outgoing> outgoing = decided.output();
    long end = System.nanoTime();
    boolean isMeasured = false;
    for (Request request : batch) {
      if (request.bytes() > 0) {
        metrics.wait.record(start - request.queuedAt());
        isMeasured = true;
      }
    }
    if (isMeasured) {
      metrics.commit.record(end - start);
      metrics.sync.record(syncNanos);
    }
    int done = batch.size();
    release(outgoing, done, end);
    for (int i = 0; i < done; i++) {
      settle(batch.get(i), outcomes.get(i));
    }
    return done;
  }

  /** Releases the output of requests; tasks, such as messages between nodes, mostly have none. */
  private void release(List<Outgoing> outgoing, int requests, long committedAt) {
    boolean hasOutput = !outgoing.isEmpty();
    long offset = store.lastOffset();
    if (!hasOutput && offset == releasedOffset) {
      underWay.addAndGet(-requests);
      return;
    }
    releasedOffset = offset;
    live.release(
        outgoing,
        offset,
        () -> {
          underWay.addAndGet(-requests);
          if (hasOutput) {
            metrics.fanOut.recordSince(committedAt);
          }
        });
  }

  /** The outcomes of a batch's first requests or all, and the output that follows. */
  private record Decided(List<WriteOutcome> outcomes, List<Outgoing> output) {}

  /** Commits the changes of the requests, except those whose own change throws. */
  private Decided commit(List<Request> batch) {
    BitSet broken = new BitSet();
    try {
      Decided decided;
      do {
        decided = attempt(batch, broken);
      } while (decided == null);
      rules.committed();
      if (!broken.isEmpty()) {
        metrics.failedCommits.increment();
      }
      if (hasAdded(batch.subList(0, decided.outcomes().size()), broken)) {
        failedAt = null;
      } else if (!broken.isEmpty()) {
        failedAt = time.instant();
      }
      return decided;
    } catch (Replication.Overtaken e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      rules.undone();
      failedAt = time.instant();
      metrics.failedCommits.increment();
      LOG.error("A commit failed; its {} requests are answered with an error", batch.size(), e);
      return answerFailed(batch, e);
    }
  }

  /**
   * The answers to a batch whose commit has failed; the leader of a cluster commits them.
   *
   * @throws StoreFailure when a leader cannot even do that, or has no room, so that another node
   *     takes over
   */
  private Decided answerFailed(List<Request> batch, Exception cause) {
    List<WriteOutcome> failed = Collections.nCopies(batch.size(), WriteOutcome.FAILED);
    if (!replication.isCluster() || !replication.leads()) {
      return new Decided(failed, output(batch, failed));
    }
    if (cause instanceof IOException) {
      throw new StoreFailure("this node leads its cluster and cannot commit", cause);
    }
    try {
      return new Decided(failed, commitOutput(output(batch, failed)));
    } catch (Replication.Overtaken e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new StoreFailure("this node leads its cluster and cannot answer", e);
    }
  }

  private static boolean hasAdded(List<Request> batch, BitSet broken) {
    return IntStream.range(0, batch.size())
        .anyMatch(i -> batch.get(i).bytes() > 0 && !broken.get(i));
  }

  /**
   * Commits one transaction with the changes of all requests that are not broken; in a cluster, of
   * the first ones whose changes fill a batch. When a change throws, its effects on the transaction
   * are unknown, so the transaction is rolled back and the request is added to the broken ones.
   *
   * @return null when another attempt is needed
   */
  private @Nullable Decided attempt(List<Request> batch, BitSet broken) throws IOException {
    List<WriteOutcome> outcomes = new ArrayList<>(batch.size());
    List<Outgoing> output;
    syncNanos = 0;
    if (!replication.leads()) {
      return follow(batch);
    }
    commitRest();
    if (batch.stream().allMatch(it -> it.change() == NO_CHANGE)) {
      List<WriteOutcome> stored = Collections.nCopies(batch.size(), WriteOutcome.STORED);
      return new Decided(stored, commitOutput(output(batch, stored)));
    }
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < batch.size() && (i == 0 || !isFull(transaction)); i++) {
        try {
          outcomes.add(
              broken.get(i) ? WriteOutcome.FAILED : batch.get(i).change().apply(transaction));
        } catch (RuntimeException e) {
          LOG.error("A change could not be applied; its request is answered with an error", e);
          broken.set(i);
          rules.undone();
          return null;
        }
      }
      output = replication.commit(transaction, () -> output(batch, outcomes));
      syncNanos = transaction.syncNanos();
    }
    commitRest();
    return new Decided(outcomes, output);
  }

  /** Commits output without changes; returns that for this node's clients. */
  private List<Outgoing> commitOutput(List<Outgoing> output) throws IOException {
    if (!replication.isCluster() || output.isEmpty()) {
      return output;
    }
    List<Outgoing> local;
    try (Transaction transaction = store.begin()) {
      local = replication.commit(transaction, () -> output);
    }
    commitRest();
    return local;
  }

  private void commitRest() {
    try {
      replication.commitRest();
    } catch (Replication.Overtaken e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new StoreFailure(
          "this node leads its cluster and cannot tell what it has committed", e);
    }
  }

  /** Whether a commit may have no room for more: deletions grow as records, and by copies. */
  private boolean isFull(Transaction transaction) {
    return transaction.recordBytes() >= bounds.batchBytes();
  }

  /** A follower changes nothing by itself; its tasks and its own output go on. */
  private static Decided follow(List<Request> batch) {
    List<WriteOutcome> outcomes =
        batch.stream()
            .map(it -> it.change() == NO_CHANGE ? WriteOutcome.STORED : WriteOutcome.FAILED)
            .toList();
    return new Decided(outcomes, output(batch, outcomes));
  }

  private static List<Outgoing> output(List<Request> batch, List<WriteOutcome> outcomes) {
    List<Outgoing> outgoing = new ArrayList<>(batch.size() * 4);
    for (int i = 0; i < outcomes.size(); i++) {
      for (Outgoing item : output(batch.get(i), outcomes.get(i))) {
        outgoing.add(item);
      }
    }
    return outgoing;
  }

  /** The output of a request; if its callback throws, the output for a failed request. */
  private static List<Outgoing> output(Request request, WriteOutcome outcome) {
    try {
      return request.outcome().apply(outcome);
    } catch (RuntimeException e) {
      LOG.error("The output of a request failed; this is a bug", e);
      return outcome == WriteOutcome.FAILED ? List.of() : output(request, WriteOutcome.FAILED);
    }
  }

  private static void settle(Request request, WriteOutcome outcome) {
    try {
      request.settled().accept(outcome);
    } catch (Replication.Overtaken e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("A request could not be settled; this is a bug", e);
    }
  }
}
