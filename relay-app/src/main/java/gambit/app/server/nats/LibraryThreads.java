package gambit.app.server.nats;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The threads of the NATS client library. Each task of the library reads or writes one connection,
 * or delivers to one subscription, until that is closed. A task catches the failures that it
 * expects; by an unexpected one the task ends. The library neither reports that failure nor starts
 * the task anew, so the connection or the subscription would stop silently. Therefore this executor
 * reports the failure. Thread-safe.
 */
final class LibraryThreads extends ThreadPoolExecutor {
  private static final long IDLE_SECONDS = 60;

  private final Consumer<Throwable> onDeath;

  /**
   * No threads yet.
   *
   * @param onDeath receives an error, or an exception that is not checked, by which a task has
   *     ended; on the task's thread
   */
  LibraryThreads(ThreadFactory factory, Consumer<Throwable> onDeath) {
    super(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    this.onDeath = onDeath;
  }

  @Override
  protected void afterExecute(Runnable task, Throwable thrown) {
    super.afterExecute(task, thrown);
    if (thrown == null && task instanceof Future<?> future && future.isDone()) {
      try {
        future.get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof Exception) || e.getCause() instanceof RuntimeException) {
          onDeath.accept(e.getCause());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (CancellationException e) {
        // The connection was closed.
      }
    }
  }
}
