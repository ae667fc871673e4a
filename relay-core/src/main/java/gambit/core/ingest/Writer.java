package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.LiveLane;
import gambit.core.model.Event;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes: it drains its inbox, decides every request against one transaction,
 * commits them as one group, and only then lets out the answers and the events. A request whose
 * callback throws fails alone: the others of its group are committed and answered.
 *
 * <p>Bound: so many requests may be under way, from admission until what they let out has been
 * handed to the outboxes; everything behind the writer is bounded by that. A share is kept for
 * features. {@link #submit} and {@link #store} may be called from any thread and never block.
 */
public final class Writer implements Publisher, AutoCloseable {
  /** Most requests of one commit; it waits for none that is not there yet. */
  static final int BATCH = 512;

  /** So many bytes of events and rows end a commit's requests. */
  private static final long BATCH_BYTES = 8 << 20;

  /** When a failed commit says no more of the next one: somebody has to try it. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
  private static final WriteRequest END =
      new WriteRequest(transaction -> WriteOutcome.STORED, 0, outcome -> List.of(), outcome -> {});

  private final LinkedBlockingQueue<WriteRequest> inbox = new LinkedBlockingQueue<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final int capacity;
  private final int reserve;
  private final EventStore store;
  private final StorageRules rules;
  private final LiveLane live;
  private final Consumer<Throwable> onDeath;
  private final Thread thread;
  private final InstantSource time;
  private volatile @Nullable Instant failedAt; // the last commit, if it has failed

  /**
   * Starts the writer.
   *
   * @param capacity how many requests may be under way
   * @param reserve how many of them only features may use
   */
  public Writer(
      EventStore store,
      StorageRules rules,
      LiveLane live,
      int capacity,
      int reserve,
      InstantSource time,
      Consumer<Throwable> onDeath) {
    this.store = store;
    this.time = time;
    this.rules = rules;
    this.live = live;
    this.capacity = capacity;
    this.reserve = reserve;
    this.onDeath = onDeath;
    this.thread = new Thread(this::run, "writer");
    this.thread.start();
  }

  /** Stores a client's event; false, and nothing happens, when too much is under way. */
  boolean submit(Event event, Function<WriteOutcome, List<Outgoing>> outcome) {
    return admit(
        WriteRequest.of(rules, Commit.of(List.of(event)), false, time, outcome, settled -> {}),
        capacity - reserve);
  }

  @Override
  public boolean store(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    commit.rows().forEach(row -> EventStore.requireValidRowName(row.table(), row.key()));
    return admit(WriteRequest.of(rules, commit, true, time, outcome, settled), capacity);
  }

  /** Does something for the store's sake, beyond the bound: one such thing at a time. */
  void maintain(Function<Transaction, WriteOutcome> change, Consumer<WriteOutcome> settled) {
    underWay.incrementAndGet();
    inbox.add(new WriteRequest(change, 0, outcome -> List.of(), settled));
  }

  /** Runs it behind what waits, on the writer's thread. */
  public void takeTurn(Runnable turn) {
    maintain(transaction -> WriteOutcome.STORED, outcome -> turn.run());
  }

  /** Whether the last commit of events has failed, and not long ago. Any thread. */
  public boolean isFailing() {
    Instant failed = failedAt;
    return failed != null && time.instant().isBefore(failed.plus(FORGOTTEN));
  }

  @Override
  public void tell(List<Outgoing> outgoing) {
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

  /** Commits what was admitted, then ends the thread and waits for it. */
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
    List<WriteRequest> batch = new ArrayList<>(BATCH);
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

  /** Waits for a request and takes those behind it that are there already. */
  private void collect(List<WriteRequest> batch) throws InterruptedException {
    WriteRequest request = inbox.take();
    long bytes = 0;
    while (request != null) {
      batch.add(request);
      bytes += request.bytes();
      request = batch.size() < BATCH && bytes < BATCH_BYTES ? inbox.poll() : null;
    }
  }

  /** Fails unless it is called on the writer's thread, which alone changes the store. */
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
    List<WriteOutcome> outcomes = commit(batch);
    List<Outgoing> outgoing = new ArrayList<>(batch.size() * 2);
    for (int i = 0; i < batch.size(); i++) {
      outgoing.addAll(output(batch.get(i), outcomes.get(i)));
    }
    int done = batch.size();
    live.release(outgoing, store.lastOffset(), () -> underWay.addAndGet(-done));
    for (int i = 0; i < batch.size(); i++) {
      settle(batch.get(i), outcomes.get(i));
    }
  }

  /** Commits the changes of all requests but those whose own change throws; these have failed. */
  private List<WriteOutcome> commit(List<WriteRequest> batch) {
    Set<WriteRequest> broken = Collections.newSetFromMap(new IdentityHashMap<>());
    try {
      List<WriteOutcome> outcomes;
      do {
        outcomes = attempt(batch, broken);
      } while (outcomes.isEmpty());
      rules.committed();
      if (batch.stream().anyMatch(request -> adds(request) && !broken.contains(request))) {
        failedAt = null;
      } else if (!broken.isEmpty()) {
        failedAt = time.instant();
      }
      return outcomes;
    } catch (IOException | RuntimeException e) {
      rules.undone();
      failedAt = time.instant();
      LOG.error("A commit failed; its {} requests are answered with an error", batch.size(), e);
      return Collections.nCopies(batch.size(), WriteOutcome.FAILED);
    }
  }

  /**
   * One transaction with the changes of all requests that are not broken. When a change throws,
   * nobody can tell what it has done to the transaction: that is undone, and the request is broken
   * from then on.
   *
   * @return the outcomes, or none when another attempt has to be made
   */
  private List<WriteOutcome> attempt(List<WriteRequest> batch, Set<WriteRequest> broken)
      throws IOException {
    List<WriteOutcome> outcomes = new ArrayList<>(batch.size());
    try (Transaction transaction = store.begin()) {
      for (WriteRequest request : batch) {
        try {
          outcomes.add(
              broken.contains(request) ? WriteOutcome.FAILED : request.change().apply(transaction));
        } catch (RuntimeException e) {
          LOG.error("A change could not be applied; its request is answered with an error", e);
          broken.add(request);
          rules.undone();
          return List.of();
        }
      }
      transaction.commit();
      return outcomes;
    }
  }

  /** What a request lets out; if that cannot be told, what it lets out when it has failed. */
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
