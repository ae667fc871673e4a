package gambit.app.command.ratings;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs tasks on all cores, a few at once. Tasks are submitted by one thread. */
final class ParallelTasks implements AutoCloseable {
  private static final int TASKS_PER_THREAD = 4;

  private final int threads = Runtime.getRuntime().availableProcessors();
  private final Semaphore room = new Semaphore(threads * TASKS_PER_THREAD);
  private final ExecutorService workers = Executors.newFixedThreadPool(threads);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Runs a task, perhaps after waiting for earlier ones. */
  void submit(Runnable task) throws InterruptedException {
    room.acquire();
    workers.execute(
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
          } finally {
            room.release();
          }
        });
  }

  /** Waits for all tasks; a failure of one is thrown. */
  void awaitAll() throws InterruptedException {
    room.acquire(threads * TASKS_PER_THREAD);
    room.release(threads * TASKS_PER_THREAD);
    Throwable cause = failure.get();
    if (cause instanceof Error error) {
      throw error;
    } else if (cause != null) {
      throw new IllegalStateException("events could not be checked", cause);
    }
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }
}
