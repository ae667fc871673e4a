package gambit.chess.session.runtime;

import gambit.core.lane.Deadlines;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * The clock, and delayed tasks of the chess lane. Any thread.
 *
 * @param lane runs tasks on the chess lane
 */
public record Timers(InstantSource time, Deadlines deadlines, Executor lane) {

  /** The current time in epoch milliseconds. */
  public long now() {
    return time.millis();
  }

  /** Runs a task on the chess lane after a delay; replaces an earlier task with the same key. */
  public void schedule(Object key, Duration delay, Runnable task) {
    deadlines.set(key, delay, () -> lane.execute(task));
  }

  /** Cancels the task with a key. */
  public void cancel(Object key) {
    deadlines.cancel(key);
  }
}
