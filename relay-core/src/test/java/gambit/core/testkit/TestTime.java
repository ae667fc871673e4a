package gambit.core.testkit;

import gambit.core.ingest.Sweep;
import gambit.core.lane.Deadlines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A clock that tests advance, and the deadlines that depend on it. Any thread. */
public final class TestTime implements InstantSource, Deadlines {
  public static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private record Alarm(Instant at, Runnable task) {}

  private final Map<Object, Alarm> alarms = new HashMap<>();
  private Instant now;

  public TestTime() {
    this(START);
  }

  /** Creates a clock that starts at that time. */
  TestTime(Instant start) {
    now = start;
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  /**
   * A task without a delay is run at once: the test may have advanced the clock before the relay,
   * on another thread, sets the alarm.
   */
  @Override
  public void set(Object key, Duration delay, Runnable task) {
    boolean isDue = delay.isZero() || delay.isNegative();
    synchronized (this) {
      alarms.remove(key);
      if (!isDue) {
        alarms.put(key, new Alarm(now.plus(delay), task));
      }
      notifyAll();
    }
    if (isDue) {
      task.run();
    }
  }

  @Override
  public synchronized void cancel(Object key) {
    alarms.remove(key);
    notifyAll();
  }

  /** Advances the clock and runs every alarm that is due then, in order. */
  public void advance(Duration by) {
    List<Runnable> due = new ArrayList<>();
    synchronized (this) {
      now = now.plus(by);
      alarms.entrySet().stream()
          .filter(entry -> !entry.getValue().at().isAfter(now))
          .sorted(Comparator.comparing(entry -> entry.getValue().at()))
          .toList()
          .forEach(
              entry -> {
                alarms.remove(entry.getKey());
                due.add(entry.getValue().task());
              });
    }
    due.forEach(Runnable::run);
  }

  /** Runs every alarm before its time: a timer may fire slightly earlier than the clock shows. */
  public void runAllAlarms() {
    List<Runnable> all;
    synchronized (this) {
      all = alarms.values().stream().map(Alarm::task).toList();
      alarms.clear();
    }
    all.forEach(Runnable::run);
  }

  /** Waits until that number of alarms of features is set; the relay sets them on its threads. */
  public void awaitAlarms(int count) {
    await(
        count + " alarms",
        key -> !(key instanceof Sweep || isUpdate(key) || isOfPlayers(key)),
        count);
  }

  /**
   * Waits until that number of publications of current states is due. They follow from many
   * requests, and so they are counted apart from other alarms.
   */
  public void awaitUpdates(int count) {
    await(count + " updates", TestTime::isUpdate, count);
  }

  /** Waits until a publication of the players who are here is due; they come with every request. */
  public void awaitUpdateOfPlayers() {
    await("an update of the players", TestTime::isOfPlayers, 1);
  }

  /** Waits until that number of alarms with a key of that class is set. */
  public void awaitAlarmsOf(String simpleName, int count) {
    await(
        count + " of " + simpleName,
        key -> key.getClass().getSimpleName().equals(simpleName),
        count);
  }

  private static boolean isOfPlayers(Object key) {
    return key.getClass().getSimpleName().equals("PlayersKey");
  }

  private static boolean isUpdate(Object key) {
    return key.getClass().getSimpleName().equals("PublicationKey");
  }

  /** Waits until a sweep is finished and the next one is scheduled. */
  public void awaitSweepScheduled() {
    await("the sweep", key -> key instanceof Sweep, 1);
  }

  private synchronized void await(String what, Predicate<Object> keys, int count) {
    long giveUp = System.nanoTime() + Client.TIMEOUT.toNanos();
    while (alarms.keySet().stream().filter(keys).count() != count) {
      long left = (giveUp - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError("waited for " + what + ", there are " + alarms.keySet());
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
