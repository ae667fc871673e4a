package gambit.app.tool.client;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The one thread of a client, on which the commands of other threads run. Thread-safe. */
final class ClientThread {
  private final ScheduledExecutorService executor;
  private volatile boolean isClosed;

  ClientThread(String name) {
    executor = Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory(name, true));
  }

  ScheduledExecutorService executor() {
    return executor;
  }

  /**
   * Runs a command on the thread; the result is that of the command, and fails with an {@link
   * UnansweredException} when the thread is closed.
   */
  <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> command) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      executor.execute(
          () ->
              command
                  .get()
                  .whenComplete(
                      (value, failure) -> {
                        if (failure == null) {
                          result.complete(value);
                        } else {
                          result.completeExceptionally(unwrapped(failure));
                        }
                      }));
    } catch (RejectedExecutionException e) {
      // isClosed is true
    }
    if (isClosed) { // a thread that is being shut down drops the command without a word
      result.completeExceptionally(new UnansweredException("The client was closed."));
    }
    return result;
  }

  void later(Duration delay, Runnable task) {
    try {
      executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // isClosed is true
    }
  }

  static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Ends the thread after a last task. No effect if it is closed. */
  void close(Runnable last) {
    if (!isClosed) {
      isClosed = true;
      executor.execute(
          () -> {
            last.run();
            executor.shutdown();
          });
    }
  }
}
