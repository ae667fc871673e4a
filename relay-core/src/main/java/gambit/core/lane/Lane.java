package gambit.core.lane;

import gambit.core.limit.SharedBudget;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread with a bounded inbox: it runs tasks one at a time, in the order of their arrival, and
 * only these tasks touch the objects that the lane owns. Its methods may be called from any thread
 * and never block.
 *
 * <p>An exception in a task is a bug: it is logged, and the lane continues. An error, such as a
 * lack of memory, ends the lane and is passed to {@code onDeath}, which should end the process.
 *
 * <p>The time that each task waits in the inbox is recorded in {@code lane_wait_seconds}, by the
 * name of the lane.
 */
public final class Lane implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(Lane.class);

  /** The calls after which threads are woken before the end of what gathers. */
  private static final int MAX_GATHERED = 4096;

  private final LinkedBlockingQueue<Entry> inbox = new LinkedBlockingQueue<>();
  private final SharedBudget admitted;
  private final LaneThread thread;
  private final Consumer<Throwable> onDeath;
  private final Metrics.Timer waits;
  private final boolean hasThread;
  private boolean runsNext; // without a thread: whether runNext runs a task
  private boolean open = true; // the lane's thread only

  /** Starts the thread; {@code onDeath} receives the error that ended the lane. */
  public Lane(String name, int capacity, Metrics metrics, Consumer<Throwable> onDeath) {
    this(name, capacity, metrics, onDeath, true);
    thread.start();
  }

  /** A lane without a thread, for simulations: {@link #runNext} does its work. */
  public static Lane withoutThread(String name, int capacity, Metrics metrics) {
    return new Lane(name, capacity, metrics, cause -> {}, false);
  }

  private Lane(
      String name, int capacity, Metrics metrics, Consumer<Throwable> onDeath, boolean hasThread) {
    this.admitted = new SharedBudget(capacity);
    this.hasThread = hasThread;
    this.onDeath = onDeath;
    this.waits =
        metrics.timer(
            "lane_wait_seconds", "Time that a task waits for its thread, by thread", "lane", name);
    this.thread = new LaneThread(this::run, name);
  }

  /** A lane's thread, with the wake-ups that it gathers. */
  private static final class LaneThread extends Thread {
    private final List<Runnable> wakeUps = new ArrayList<>(); // of different threads
    private boolean gathers;
    private int gathered; // calls since the last wake-ups

    LaneThread(Runnable run, String name) {
      super(run, name);
    }

    void gather(Runnable wakeUp) {
      if (!wakeUps.contains(wakeUp)) {
        wakeUps.add(wakeUp);
      }
      gathered++;
      if (gathered >= MAX_GATHERED) {
        wakeAll();
      }
    }

    void wakeAll() {
      gathered = 0;
      for (int i = 0; i < wakeUps.size(); i++) {
        wakeUps.get(i).run();
      }
      wakeUps.clear();
    }
  }

  /**
   * Runs a part of this lane's current task and gathers the wake-ups that it causes, so that
   * another thread is woken once for all that the part has for it: at its end, or after {@value
   * #MAX_GATHERED} calls of {@link #wake}. The part must be short, since what other threads send to
   * the same clients meanwhile waits with it.
   */
  public void gatherWakeUps(Runnable part) {
    assertCurrent();
    thread.gathers = true;
    try {
      part.run();
    } finally {
      thread.gathers = false;
      thread.wakeAll();
    }
  }

  /** Wakes another thread; later, if the caller is a lane that gathers wake-ups. */
  public static void wake(Runnable wakeUp) {
    if (Thread.currentThread() instanceof LaneThread lane && lane.gathers) {
      lane.gather(wakeUp);
    } else {
      wakeUp.run();
    }
  }

  /** A queued task; its owners are null if it does not count in the bound of the inbox. */
  private record Entry(Runnable task, @Nullable Set<?> owners, long queuedAt) {}

  public String name() {
    return thread.getName();
  }

  /** Throws unless called by a task of this lane. Costs one comparison. */
  public void assertCurrent() {
    if (hasThread ? Thread.currentThread() != thread : !runsNext) {
      throw new IllegalStateException(
          "on " + Thread.currentThread().getName() + " instead of " + thread.getName());
    }
  }

  /** Queues a task of nobody; false, without effect, when the inbox is full. */
  public boolean submit(Runnable task) {
    return submit(Set.of(), task);
  }

  /** Queues a task; false, without effect, when the inbox, or an owner's share of it, is full. */
  public boolean submit(Set<?> owners, Runnable task) {
    if (!admitted.reserve(owners, 1)) {
      return false;
    }
    inbox.add(new Entry(task, owners, System.nanoTime()));
    return true;
  }

  /**
   * Queues a task beyond the bound. Only for work that another bound has admitted (a completion, a
   * release, the end of a connection) and that must not be lost, or of which there is one at most.
   */
  public void put(Runnable task) {
    inbox.add(new Entry(task, null, System.nanoTime()));
  }

  /** Drops the queued tasks, then ends the thread and waits for it. */
  public void abandon() {
    inbox.clear();
    close();
  }

  /** Runs the queued tasks, then ends the thread and waits for it. */
  @Override
  public void close() {
    put(() -> open = false);
    boolean interrupted = false;
    while (thread.isAlive() && Thread.currentThread() != thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (open) {
        run(inbox.take());
      }
    } catch (Throwable e) {
      onDeath.accept(e);
    }
  }

  /** Runs the next queued task of a lane without a thread; false if there is none. */
  public boolean runNext() {
    Entry next = inbox.poll();
    if (next == null) {
      return false;
    }
    runsNext = true;
    try {
      run(next);
    } finally {
      runsNext = false;
    }
    return true;
  }

  private void run(Entry next) {
    waits.recordSince(next.queuedAt());
    if (next.owners() != null) {
      admitted.release(next.owners(), 1);
    }
    run(next.task());
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.error("A task of {} failed; this is a bug", thread.getName(), e);
    }
  }
}
