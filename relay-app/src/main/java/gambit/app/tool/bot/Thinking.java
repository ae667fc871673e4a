package gambit.app.tool.bot;

import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The threads that choose moves, with the lowest priority where the Java runtime applies priorities
 * (on Linux, by default, it does not). Each has a {@link MoveChooser} of its own, and takes the
 * task that is due first. Thread-safe.
 */
final class Thinking implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(Thinking.class);
  private static final long CLOSE_MILLIS = 1000;

  /** Should begin until a time of {@link System#nanoTime}; the number orders equal times. */
  private record Task(long due, long number, Consumer<MoveChooser> action)
      implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      int byTime = Long.compare(due - other.due, 0);
      return byTime == 0 ? Long.compare(number, other.number) : byTime;
    }
  }

  private final PriorityBlockingQueue<Task> tasks = new PriorityBlockingQueue<>();
  private final int maxWaiting;
  private long submitted;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isClosed;

  /** Starts the threads; each creates a chooser. More tasks may not wait. */
  @SuppressWarnings("ThreadPriorityCheck") // a courtesy to the relay where the platform has it
  Thinking(int count, int maxWaiting, Supplier<MoveChooser> choosers) {
    this.maxWaiting = maxWaiting;
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> run(choosers), "thinking-" + i);
      thread.setDaemon(true);
      thread.setPriority(Thread.MIN_PRIORITY);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /** Submits a task that should begin within a time; false if too many wait. */
  synchronized boolean submit(Duration within, Consumer<MoveChooser> task) {
    return !isClosed
        && tasks.size() < maxWaiting
        && tasks.offer(new Task(System.nanoTime() + within.toNanos(), submitted++, task));
  }

  /** Whether a task waits that should have begun, so that the running ones should end. */
  boolean isLate() {
    Task first = tasks.peek();
    return first != null && System.nanoTime() - first.due >= 0;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** The number of games, the caller's included, for which one thread thinks in turn. */
  int sharing() {
    return 1 + tasks.size() / threads.size();
  }

  private void run(Supplier<MoveChooser> choosers) {
    try {
      while (!isClosed) {
        runUntilFailure(choosers);
      }
    } catch (InterruptedException e) {
      // The threads are being closed.
    }
  }

  /**
   * Runs tasks with one chooser, until a task fails. Then the chooser, which may be inconsistent,
   * is replaced. An error, such as a stack overflow, ends neither the thread nor the process: the
   * threads of the relay decide for themselves whether they can continue.
   */
  private void runUntilFailure(Supplier<MoveChooser> choosers) throws InterruptedException {
    try (MoveChooser chooser = choosers.get()) {
      chooser.prepare();
      while (!isClosed) {
        Task task = tasks.take();
        try {
          task.action.accept(chooser);
        } catch (RuntimeException | Error e) {
          LOG.error("A move could not be chosen", e);
          return;
        }
      }
    }
  }

  /** Interrupts the threads, and waits a moment until they have ended their engines. */
  @Override
  public void close() {
    isClosed = true;
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + CLOSE_MILLIS * 1_000_000;
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
