package gambit.core.replication;

import gambit.core.testkit.MemoryEventStore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A machine with one relay at a time, a disk that survives it, a clock of its own and a network
 * that can be cut.
 */
final class SimulatedMachine {
  private static final long DISK_BYTES = 1L << 30;

  private final Simulation world;
  private final int index;
  private final MemoryEventStore disk = new MemoryEventStore(DISK_BYTES);
  private @Nullable SimulatedRelay relay;
  private final long bootNanos;
  private long clockAheadMicros;
  private long stoppedUntil;
  private int cutsFromLog;
  private int cutsFromBus;
  private long reachedLogUntil;
  private long answeredUntil; // by a server of the log that is cut off, too

  SimulatedMachine(Simulation world, int index, long clockAheadMicros) {
    this.world = world;
    this.index = index;
    this.clockAheadMicros = clockAheadMicros;
    this.bootNanos = index * 1_000_000_000L;
  }

  int index() {
    return index;
  }

  /** The relay that runs or starts; null while there is none. */
  @Nullable SimulatedRelay relay() {
    return relay;
  }

  MemoryEventStore disk() {
    return disk;
  }

  /** The time by its own clock. */
  Instant time() {
    long micros = world.schedule().now() + clockAheadMicros;
    return Instant.ofEpochSecond(SimulatedEvents.START_SECONDS, micros * 1_000);
  }

  Clocks clocks() {
    return new Clocks(
        this::time, () -> Instant.EPOCH.plusNanos(world.schedule().now() * 1_000 + bootNanos));
  }

  /** Sets the clock forward or back by some time. */
  void setClock(long micros) {
    clockAheadMicros += micros;
  }

  /** Starts a relay, unless one runs. */
  void start() {
    if (relay == null) {
      relay = new SimulatedRelay(world, this);
      relay.start();
    }
  }

  /** The relay has ended, or is killed. */
  void end() {
    SimulatedRelay ended = relay;
    relay = null;
    if (ended != null) {
      ended.ended();
    }
  }

  /** Everything on this machine stands still until a time. */
  void stopUntil(long micros) {
    stoppedUntil = Math.max(stoppedUntil, micros);
  }

  long stoppedUntil() {
    return stoppedUntil;
  }

  boolean reachesLog() {
    return cutsFromLog == 0;
  }

  boolean reaches(SimulatedMachine other) {
    return cutsFromBus == 0 && other.cutsFromBus == 0;
  }

  /** Cuts the machine off from the log, or ends that; as often as it begins. */
  void cutFromLog(boolean isCut) {
    if (isCut && cutsFromLog == 0) {
      reachedLogUntil = world.schedule().now();
      answeredUntil = reachedLogUntil;
    }
    cutsFromLog += isCut ? 1 : -1;
  }

  /**
   * Cuts the machine off from the log with the server that has led it, which answers for some time
   * as if it still did.
   */
  void cutFromLogWithItsServer(long answerMicros) {
    cutFromLog(true);
    answeredUntil = Math.max(answeredUntil, world.schedule().now() + answerMicros);
  }

  /** Whether a server of the log that is cut off with it still answers. */
  boolean isAnsweredByItsServer() {
    return !reachesLog() && world.schedule().now() < answeredUntil;
  }

  /** For how long it has had no answer of the log, in microseconds. */
  long unansweredMicros() {
    return reachesLog() ? 0 : Math.max(0, world.schedule().now() - answeredUntil);
  }

  /** Cuts the machine off from the bus, or ends that. */
  void cutFromBus(boolean isCut) {
    cutsFromBus += isCut ? 1 : -1;
  }

  /** For how long it has not reached the log, in microseconds. */
  long unreachableMicros() {
    return reachesLog() ? 0 : world.schedule().now() - reachedLogUntil;
  }
}
