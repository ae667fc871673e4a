package gambit.core.ingest;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.Live;
import gambit.core.model.Event;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes: it drains its inbox, decides every request against one transaction,
 * commits them as one group, and only then lets out the answers and the events.
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
  private final Live live;
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
      Live live,
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
    commit.rows().forEach(row -> EventStore.requireFitting(row.table(), row.key()));
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

  private static boolean adds(List<WriteRequest> batch) {
    return batch.stream().anyMatch(request -> request.bytes() > 0);
  }

  private void write(List<WriteRequest> batch) {
    List<WriteOutcome> outcomes = new ArrayList<>(batch.size());
    try (Transaction transaction = store.begin()) {
      for (WriteRequest request : batch) {
        outcomes.add(request.change().apply(transaction));
      }
      transaction.commit();
      rules.committed();
      if (adds(batch)) {
        failedAt = null;
      }
    } catch (IOException | RuntimeException e) {
      rules.undone();
      failedAt = time.instant();
      LOG.error("A commit failed; its {} requests are answered with an error", batch.size(), e);
      outcomes.replaceAll(outcome -> WriteOutcome.FAILED);
      while (outcomes.size() < batch.size()) {
        outcomes.add(WriteOutcome.FAILED);
      }
    }
    List<Outgoing> outgoing = new ArrayList<>(batch.size() * 2);
    for (int i = 0; i < batch.size(); i++) {
      outgoing.addAll(batch.get(i).outcome().apply(outcomes.get(i)));
    }
    int done = batch.size();
    live.release(outgoing, store.lastOffset(), () -> underWay.addAndGet(-done));
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).settled().accept(outcomes.get(i));
    }
  }
}
