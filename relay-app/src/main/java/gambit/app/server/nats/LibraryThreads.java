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
 * The threads of the library for NATS. A task of the library runs for as long as its connection
 * does, and catches the failures that it expects. One that ends by another is not replaced by the
 * library, which neither logs nor reports it: its connection or its subscription would stand still,
 * a connection at least until pings remain unanswered. Thread-safe.
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
