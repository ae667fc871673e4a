package gambit.core.lane;

import java.time.Duration;

/**
 * Keyed alarms: setting a key replaces its alarm. A firing alarm only hands its task on to a lane
 * and does no work itself. Thread-safe.
 */
public interface Deadlines {
  /** Runs the task once after the delay, unless the key is set again or cancelled before. */
  void set(Object key, Duration delay, Runnable task);

  /** Forgets the key's alarm, if there is one; a task that has begun already is not called back. */
  void cancel(Object key);
}
