package gambit.chess.simulation;

import gambit.core.lane.Deadlines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A clock that the test advances, and alarms in the order of their times. */
final class ManualTime implements InstantSource, Deadlines {
  private record Alarm(long at, long number, Object key, Runnable task)
      implements Comparable<Alarm> {
    @Override
    public int compareTo(Alarm other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
    }
  }

  private final Predicate<Object> sets;
  private final TreeSet<Alarm> queue = new TreeSet<>();
  private final Map<Object, Alarm> byKey = new HashMap<>();
  private long numbers;
  private long now = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();

  /**
   * A clock.
   *
   * @param sets whether an alarm of that key is set at all
   */
  ManualTime(Predicate<Object> sets) {
    this.sets = sets;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(now);
  }

  @Override
  public long millis() {
    return now;
  }

  @Override
  public void set(Object key, Duration delay, Runnable task) {
    cancel(key);
    if (sets.test(key)) {
      Alarm alarm = new Alarm(now + delay.toMillis(), numbers++, key, task);
      byKey.put(key, alarm);
      queue.add(alarm);
    }
  }

  @Override
  public void cancel(Object key) {
    Alarm alarm = byKey.remove(key);
    if (alarm != null) {
      queue.remove(alarm);
    }
  }

  /** Whether an alarm with such a key is set. */
  boolean isSet(Predicate<Object> key) {
    return byKey.keySet().stream().anyMatch(key);
  }

  /** The number of alarms. */
  int alarms() {
    return byKey.size();
  }

  /** The time until the next alarm; -1 if none is set. */
  long untilNext() {
    return queue.isEmpty() ? -1 : Math.max(0, queue.first().at() - now);
  }

  /** Advances the clock without running the alarms that are due. */
  void move(long millis) {
    now += millis;
  }

  /** Runs the next alarm if it is due. */
  boolean ring() {
    return !queue.isEmpty() && queue.first().at() <= now && ringEarly();
  }

  /** Runs the next alarm early, as if by another clock. */
  boolean ringEarly() {
    Alarm alarm = queue.pollFirst();
    if (alarm == null) {
      return false;
    }
    byKey.remove(alarm.key(), alarm);
    alarm.task().run();
    return true;
  }

  /** Removes all alarms: the process has ended. */
  void clear() {
    queue.clear();
    byKey.clear();
  }
}
