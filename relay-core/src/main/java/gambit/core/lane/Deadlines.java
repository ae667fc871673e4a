package gambit.core.lane;

import java.time.Duration;

/**
 * Keyed alarms: setting a key replaces its alarm. A task only hands work to a lane. Thread-safe.
 */
public interface Deadlines {
  /** Runs the task once after the delay, unless the key is set again or cancelled before. */
  void set(Object key, Duration delay, Runnable task);

  /** Cancels the key's alarm, if there is one; a task that has begun is not interrupted. */
  void cancel(Object key);
}
