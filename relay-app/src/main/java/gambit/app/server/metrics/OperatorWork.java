package gambit.app.server.metrics;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that answer operators' requests, since some answers take long: {@value #THREADS}
 * threads with a queue of {@value #QUEUE} requests. Thread-safe.
 */
final class OperatorWork implements AutoCloseable {
  static final int THREADS = 4;
  static final int QUEUE = 32;

  private static final Logger LOG = LoggerFactory.getLogger(OperatorWork.class);

  private final OperatorRoutes routes;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(QUEUE),
          task -> new Thread(task, "operations"));

  OperatorWork(OperatorRoutes routes) {
    this.routes = routes;
    threads.prestartAllCoreThreads();
  }

  /**
   * Answers a request.
   *
   * @param then receives the answer, on a thread of this object
   * @throws RejectedExecutionException when the queue is full
   */
  void answer(OperatorRequest request, Consumer<OperatorAnswer> then) {
    threads.execute(() -> pass(routes.answer(request), then));
  }

  private static void pass(OperatorAnswer answer, Consumer<OperatorAnswer> then) {
    try {
      then.accept(answer);
    } catch (RejectedExecutionException e) {
      LOG.debug("The operators' port was closed before an answer was sent");
    }
  }

  /** Interrupts the threads, and drops the queued requests. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
