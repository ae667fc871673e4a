package gambit.core.lane;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** {@link Deadlines} on one thread with a timer heap; setting and cancelling cost O(log n). */
public final class TimerDeadlines implements Deadlines, AutoCloseable {
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "deadlines"));
  private final ConcurrentHashMap<Object, ScheduledFuture<?>> alarms = new ConcurrentHashMap<>();

  public TimerDeadlines() {
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public void set(Object key, Duration delay, Runnable task) {
    alarms.compute(
        key,
        (k, old) -> {
          if (old != null) {
            old.cancel(false);
          }
          return timer.schedule(() -> fire(k, task), delay.toNanos(), TimeUnit.NANOSECONDS);
        });
  }

  @Override
  public void cancel(Object key) {
    ScheduledFuture<?> alarm = alarms.remove(key);
    if (alarm != null) {
      alarm.cancel(false);
    }
  }

  private void fire(Object key, Runnable task) {
    alarms.computeIfPresent(
        key, (k, alarm) -> alarm.getDelay(TimeUnit.NANOSECONDS) > 0 ? alarm : null);
    task.run();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
