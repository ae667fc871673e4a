package gambit.core.replication;

import gambit.core.crypto.Signer;
import gambit.core.ingest.Replication.Overtaken;
import gambit.core.ingest.StorageRules;
import gambit.core.lane.Deadlines;
import gambit.core.live.Delivery;
import gambit.core.log.LimitedLog;
import gambit.core.replication.SharedLog.EntriesGone;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.store.EventStore;
import gambit.core.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads and timers of a {@link ClusterNode}: it reads the shared log on a thread of its own
 * and passes everything on to the writer's. Bound: one portion of entries is under way.
 */
public final class Cluster implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(Cluster.class);

  /** The longest wait for a new entry, before the end of the log is asked for. */
  private static final Duration READ_WAIT = Duration.ofMillis(500);

  /** The wait for an entry that exists, before that is asked. */
  private static final Duration ARRIVED = Duration.ofMillis(1);

  private static final Duration RETRY_DELAY = Duration.ofMillis(100);

  /** The time for a leader to apply an entry that it has appended. */
  private static final Duration OWN_ENTRY_TIME = Duration.ofMillis(100);

  private static final Duration LEADER_WAIT = Duration.ofSeconds(10);

  private final ClusterMembership membership;
  private final ClusterNode node;
  private final Clocks clocks;
  private final Consumer<Throwable> onDeath;
  private final Thread reader;
  private @Nullable Deadlines deadlines;
  private final AtomicBoolean hasTick = new AtomicBoolean();
  private volatile boolean isLeaving;
  private volatile boolean isOpen = true;

  public Cluster(
      ClusterMembership membership,
      EventStore store,
      StorageRules rules,
      Delivery live,
      Signer signer,
      InstantSource time,
      Consumer<Throwable> onDeath) {
    this.membership = membership;
    this.clocks = Clocks.of(time);
    this.onDeath = onDeath;
    this.node = new ClusterNode(membership, store, rules, live, signer, clocks, this::pause);
    this.reader = new Thread(this::read, "cluster");
  }

  public ClusterNode node() {
    return node;
  }

  /** A leader waits until it knows whether its entry was appended. */
  private void pause() {
    LockSupport.parkNanos(RETRY_DELAY.toNanos());
    if (isLeaving) {
      throw new Overtaken("it ends, and does not know whether its last entry was appended");
    }
  }

  /**
   * Follows the log up to its end, and from then on until it is closed. Returns when the log was
   * reached and there is a leader, which has told its current states, or after ten seconds, or when
   * the thread is interrupted.
   */
  public void start(HostRelay host) {
    deadlines = host.deadlines();
    node.connect(host);
    membership.bus().listen(membership.node(), node);
    reader.start();
    scheduleTick();
    long end = System.nanoTime() + LEADER_WAIT.toNanos();
    while (!isReady()
        && System.nanoTime() < end
        && reader.isAlive()
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private boolean isReady() {
    NodeState state = node.state();
    return state.hasLeader() && !state.isCutOff() && (state.leads() || node.hasStates());
  }

  private void scheduleTick() {
    if (isOpen && deadlines != null) {
      deadlines.set(
          this,
          ClusterNode.TICK,
          () -> {
            Instant at = clocks.steady().instant();
            node.timed(at);
            if (node.isTickDue(at)) {
              tick(at);
            }
            scheduleTick();
          });
    }
  }

  /** One tick at a time waits for the writer. */
  private void tick(Instant at) {
    if (!hasTick.getAndSet(true)) {
      node.onWriter(
          () -> {
            hasTick.set(false);
            node.tick(at);
          });
    }
  }

  private void read() {
    try {
      while (isOpen && node.state().role() != NodeState.Role.OVERTAKEN) {
        try {
          readOn();
        } catch (LogUnavailable e) {
          LOG.warn("The log of the cluster cannot be read: {}", e.getMessage());
          LockSupport.parkNanos(RETRY_DELAY.toNanos());
        }
      }
    } catch (EntriesGone e) {
      membership.onOvertaken().accept("the log does not have its next entry any more");
    } catch (RecordCodec.UnknownVersion | IllegalArgumentException e) {
      onDeath.accept(new StoreFailure("the log of the cluster cannot be followed", e));
    } catch (Throwable e) {
      onDeath.accept(e);
    }
  }

  private void readOn() throws EntriesGone, LogUnavailable, InterruptedException {
    Clocks.Moment at = clocks.now();
    SharedLog.Range range = membership.log().range();
    if (node.state().leads() && node.state().applied() < range.last()) {
      LockSupport.parkNanos(OWN_ENTRY_TIME.toNanos()); // its own newest may not be applied yet
    }
    if (node.state().applied() < range.last()) {
      follow(membership.log().read(node.state().applied() + 1, ARRIVED));
    }
    node.onWriter(() -> node.confirm(range, at));
    if (node.state().leads()) {
      LockSupport.parkNanos(READ_WAIT.toNanos());
    } else {
      follow(membership.log().await(node.state().applied() + 1, READ_WAIT));
    }
  }

  private void follow(List<byte[]> encoded) throws InterruptedException {
    if (encoded.isEmpty()) {
      return;
    }
    List<Entry> entries = encoded.stream().map(Entry::decode).toList();
    CountDownLatch done = new CountDownLatch(1);
    node.onWriter(
        () -> {
          try {
            node.applier().follow(entries, node);
          } catch (Overtaken e) {
            throw e;
          } catch (RuntimeException e) {
            // the store has the entries, so that what follows from them would be lost
            onDeath.accept(new StoreFailure("entries of the cluster could not be applied", e));
          } finally {
            done.countDown();
          }
        });
    while (isOpen && !done.await(READ_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
      if (node.state().role() == NodeState.Role.OVERTAKEN) {
        return;
      }
    }
  }

  /**
   * Hands over if this node leads; from then on nothing is committed, and an entry of which it is
   * unknown whether it was appended is not waited for. Called before the writer's end.
   */
  public void resign() {
    node.onWriter(node::resign);
    isLeaving = true;
  }

  /** Ends the thread. The writer has ended, or runs nothing more that matters. */
  @Override
  public void close() {
    isOpen = false;
    if (deadlines != null) {
      deadlines.cancel(this);
    }
    membership.bus().close();
    membership.log().close();
    try {
      if (Thread.currentThread() != reader) {
        reader.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
