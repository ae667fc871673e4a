package gambit.app.tool.client;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What has arrived for the sessions of one thread, which waits for it here. It is bounded: a {@link
 * RelaySession} reads from the network only when the messages before have been handled.
 */
public final class SessionTasks implements Executor {
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs the first task, or waits up to that time for one; false if there is none. */
  public boolean runNext(Duration within) throws RelayFailure {
    try {
      Runnable task = tasks.poll(Math.max(0, within.toNanos()), TimeUnit.NANOSECONDS);
      if (task != null) {
        task.run();
      }
      return task != null;
    } catch (InterruptedException e) {
      throw RelayFailure.interrupted();
    }
  }
}
