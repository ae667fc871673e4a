package gambit.core.lane;

import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** {@link Deadlines} on one thread with a timer heap; setting and cancelling cost O(log n). */
public final class TimerDeadlines implements Deadlines, AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(TimerDeadlines.class);

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "deadlines"));
  private final ConcurrentHashMap<Object, Alarm> alarms = new ConcurrentHashMap<>();
  private final Consumer<Throwable> onDeath;

  /** {@code onDeath} receives an error of a task; the process should end. */
  public TimerDeadlines(Consumer<Throwable> onDeath) {
    this.onDeath = onDeath;
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Runs its task only if it has not been replaced or cancelled. */
  private final class Alarm implements Runnable {
    private final Object key;
    private final Runnable task;
    private final Future<?> scheduled;

    /** Schedules the task, which cannot run before its key has this alarm. */
    Alarm(Object key, Duration delay, Runnable task) {
      this.key = key;
      this.task = task;
      this.scheduled = timer.schedule(this, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void run() {
      if (alarms.remove(key, this)) {
        try {
          task.run();
        } catch (RuntimeException e) {
          LOG.error("An alarm failed; this is a bug", e);
        } catch (Error e) { // the timer would drop it
          onDeath.accept(e);
        }
      }
    }
  }

  @Override
  public void set(Object key, Duration delay, Runnable task) {
    alarms.compute(
        key,
        (k, old) -> {
          if (old != null) {
            old.scheduled.cancel(false);
          }
          return new Alarm(k, delay, task);
        });
  }

  @Override
  public void cancel(Object key) {
    Alarm alarm = alarms.remove(key);
    if (alarm != null) {
      alarm.scheduled.cancel(false);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
