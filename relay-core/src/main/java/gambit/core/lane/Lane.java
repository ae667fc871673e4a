package gambit.core.lane;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread with a bounded inbox: what it owns is touched by its tasks only, one after the other,
 * in the order in which they came. Its methods may be called from any thread and never block.
 *
 * <p>A task that throws an exception is a bug: it is logged and the lane goes on. An error (out of
 * memory and the like) ends the lane and is handed to {@code onDeath}, which is to end the process
 * rather than leave a deaf relay.
 */
public final class Lane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  private final LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
  private final AtomicInteger admitted = new AtomicInteger();
  private final int capacity;
  private final Thread thread;
  private final Consumer<Throwable> onDeath;
  private boolean open = true; // the lane's thread only

  public Lane(String name, int capacity, Consumer<Throwable> onDeath) {
    this.capacity = capacity;
    this.onDeath = onDeath;
    this.thread = new Thread(this::run, name);
    this.thread.start();
  }

  /** What its thread is called. */
  public String name() {
    return thread.getName();
  }

  /**
   * Fails unless it is called by one of this lane's tasks: for methods that touch what the lane
   * owns. Costs a comparison.
   */
  public void assertCurrent() {
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "on " + Thread.currentThread().getName() + " instead of " + thread.getName());
    }
  }

  /** Queues a task; false, and nothing happens, when as many as the bound wait already. */
  public boolean submit(Runnable task) {
    if (admitted.incrementAndGet() > capacity) {
      admitted.decrementAndGet();
      return false;
    }
    inbox.add(
        () -> {
          admitted.decrementAndGet();
          task.run();
        });
    return true;
  }

  /**
   * Queues a task beyond the bound: only for the continuation of work that was admitted by a bound
   * already (a completion, a release, the end of a connection), so that it cannot get lost, or for
   * what there is once at most.
   */
  public void put(Runnable task) {
    inbox.add(task);
  }

  /** Ends like {@link #close}, but without doing what is still queued. */
  public void abandon() {
    inbox.clear();
    close();
  }

  /** Does what is queued, then ends the thread and waits for it. */
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
        Runnable task = inbox.take();
        try {
          task.run();
        } catch (RuntimeException e) {
          LOG.error("A task of {} failed; this is a bug", thread.getName(), e);
        }
      }
    } catch (Throwable e) {
      onDeath.accept(e);
    }
  }
}
