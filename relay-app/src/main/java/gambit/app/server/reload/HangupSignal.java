package gambit.app.server.reload;

import java.lang.reflect.Proxy;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP, which requests a reload instead of ending the process. The JDK's class for signals is
 * loaded by name, because the compiler warns of it. Where a process was started with SIGHUP ignored
 * (nohup), Java keeps ignoring it, and only {@code gambit reload} reloads.
 */
public final class HangupSignal {
  private static final Logger LOG = LoggerFactory.getLogger(HangupSignal.class);
  private static final String SIGNAL = "sun.misc.Signal";
  private static final String HANDLER = "sun.misc.SignalHandler";

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
            });
    try {
      Class<?> signal = Class.forName(SIGNAL);
      Class<?> handlerType = Class.forName(HANDLER);
      Object handler =
          Proxy.newProxyInstance(
              HangupSignal.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  execute(thread, task);
                }
                return null;
              });
      signal
          .getMethod("handle", signal, handlerType)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handler);
    } catch (ReflectiveOperationException e) {
      LOG.warn("SIGHUP does not reload on this machine; gambit reload does", e.getCause());
    }
  }

  private static void execute(ThreadPoolExecutor thread, Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("A reload that waits serves this SIGHUP, too");
    }
  }
}
