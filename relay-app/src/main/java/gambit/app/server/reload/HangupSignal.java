package gambit.app.server.reload;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;

/**
 * SIGHUP, which requests a reload instead of ending the process. Where a process was started with
 * SIGHUP ignored (nohup), Java keeps ignoring it, and only {@code gambit reload} reloads.
 */
public final class HangupSignal {
  private HangupSignal() {}

  /**
   * Runs a task at each signal, on a thread of its own; one task may wait for a running one, and
   * signals beyond that need none. A later call replaces the task.
   */
  public static void handle(Runnable task) {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(1),
            run -> {
              Thread created = new Thread(run, "reload");
              created.setDaemon(true);
              return created;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    Signals.register("HUP", () -> thread.execute(task));
  }
}
