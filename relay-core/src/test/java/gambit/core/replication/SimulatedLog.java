package gambit.core.replication;

import gambit.core.store.LogGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The shared log of a simulation. It is linearizable: an append takes effect at one moment, which
 * may come before or after the moment at which its caller gives up. Reads may lag behind.
 */
final class SimulatedLog {
  private static final int LARGE_ENTRIES = 1 << 20;
  private static final int SMALL_ENTRIES = 4_000;
  private static final int MAX_PORTION = 8;
  private static final int TIMEOUT_MICROS = 800_000;

  private final Simulation world;
  private final SplittableRandom random;
  private final LogCheck check;
  private final List<byte[]> entries = new ArrayList<>();
  private final List<Long> appendedAt = new ArrayList<>();
  private final List<Runnable> waitingReaders = new ArrayList<>();
  private final int faultPercent;
  private final int lagMicros;
  private final int maxEntryBytes;
  private boolean isCalm;
  private int outages;

  SimulatedLog(Simulation world, SplittableRandom random, LogCheck check) {
    this.world = world;
    this.random = random;
    this.check = check;
    this.faultPercent = random.nextBoolean() ? 0 : random.nextInt(25);
    this.maxEntryBytes = random.nextInt(4) > 0 ? LARGE_ENTRIES : SMALL_ENTRIES;
    this.lagMicros = random.nextInt(4) > 0 ? 2_000 : 300_000;
  }

  /** The log cannot be reached by anybody; ends as often as it begins. */
  void setDown(boolean isDown) {
    outages += isDown ? 1 : -1;
  }

  /** From now on, nothing fails by itself. */
  void calm() {
    isCalm = true;
  }

  /** The groups of all entries. */
  List<LogGroup> groups() {
    return entries.stream().map(entry -> Entry.decode(entry).group()).toList();
  }

  int size() {
    return entries.size();
  }

  /** How long the entry with that number has existed, in microseconds. */
  long age(long number) {
    return world.schedule().now() - appendedAt.get((int) number - 1);
  }

  /** The log as one relay sees it. */
  SharedLog viewOf(SimulatedRelay relay) {
    return new View(relay);
  }

  /** Runs a task once, when there is another entry. */
  void whenAppended(Runnable reader) {
    waitingReaders.add(reader);
  }

  private boolean append(SimulatedRelay relay, long last, byte[] entry) {
    boolean ignoresExpectation = world.defect().ignoresExpectation();
    if (last != entries.size() && !ignoresExpectation) {
      return false;
    }
    check.appended(last, entry);
    entries.add(entry);
    appendedAt.add(world.schedule().now());
    List<Runnable> readers = List.copyOf(waitingReaders);
    waitingReaders.clear();
    readers.forEach(Runnable::run);
    if (!isCalm) {
      world.faults().appended(relay);
    }
    return true;
  }

  private boolean fails() {
    return !isCalm && random.nextInt(100) < faultPercent;
  }

  /** The log of one relay. Calls of its writer take time; those of its reader take none. */
  private final class View implements SharedLog {
    private final SimulatedRelay relay;

    View(SimulatedRelay relay) {
      this.relay = relay;
    }

    private boolean isReachable() {
      return outages == 0 && relay.machine().reachesLog();
    }

    private boolean isAnsweredByItsServer() {
      return outages == 0 && relay.machine().isAnsweredByItsServer();
    }

    private void requireReachable(int micros) throws LogUnavailable {
      if (!isReachable()) {
        relay.pauseWriter(micros);
        throw new LogUnavailable("on purpose");
      }
    }

    private void timeOut() throws LogUnavailable {
      relay.pauseWriter(1 + random.nextInt(TIMEOUT_MICROS));
      throw new LogUnavailable("on purpose");
    }

    @Override
    public Range range() throws LogUnavailable {
      if (isAnsweredByItsServer()) {
        long age = relay.machine().unreachableMicros();
        long last = appendedAt.stream().filter(at -> world.schedule().now() - at >= age).count();
        return new Range(1, last, Duration.ofNanos(age * 1_000));
      }
      requireReachable(random.nextInt(TIMEOUT_MICROS));
      return new Range(1, entries.size());
    }

    @Override
    public void append(long last, byte[] entry) throws Overtaken, LogUnavailable {
      if (entry.length > maxEntryBytes) {
        throw new IllegalArgumentException("an entry of " + entry.length + " bytes");
      }
      relay.pauseWriter(100 + random.nextInt(2_000));
      requireReachable(random.nextInt(TIMEOUT_MICROS));
      if (fails()) {
        switch (random.nextInt(3)) {
          case 0 -> {} // the request is lost
          case 1 -> SimulatedLog.this.append(relay, last, entry); // the answer is
          default -> // it is late
              world
                  .schedule()
                  .after(
                      random.nextInt(3 * TIMEOUT_MICROS),
                      null,
                      () -> SimulatedLog.this.append(relay, last, entry));
        }
        timeOut();
      }
      boolean isAppended = SimulatedLog.this.append(relay, last, entry);
      relay.pauseWriter(100 + random.nextInt(2_000));
      requireReachable(random.nextInt(TIMEOUT_MICROS));
      if (!isAppended) {
        throw new Overtaken("on purpose");
      }
    }

    @Override
    public List<byte[]> read(long from, Duration wait) throws LogUnavailable {
      relay.pauseWriter(100);
      if (isAnsweredByItsServer()) {
        return List.of();
      }
      requireReachable(random.nextInt(TIMEOUT_MICROS));
      long lag = isCalm ? 0 : random.nextInt(lagMicros);
      List<byte[]> found = new ArrayList<>();
      int most = 1 + random.nextInt(MAX_PORTION);
      for (long i = from; i <= entries.size() && found.size() < most && age(i) >= lag; i++) {
        found.add(entries.get((int) i - 1));
      }
      return found;
    }

    @Override
    public int maxEntryBytes() {
      return maxEntryBytes;
    }

    @Override
    public void close() {}
  }
}
