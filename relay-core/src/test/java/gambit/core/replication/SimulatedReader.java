package gambit.core.replication;

import gambit.core.replication.Clocks.Moment;
import gambit.core.replication.SharedLog.EntriesGone;
import gambit.core.replication.SharedLog.LogUnavailable;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Reads the shared log for a relay, as the thread of {@link Cluster} does, in steps. */
final class SimulatedReader {
  private static final int WAIT_MICROS = 500_000;
  private static final int RETRY_MICROS = 100_000;

  private final SimulatedRelay relay;
  private final SimulatedLog log;
  private final SplittableRandom random;
  private boolean isReading;
  private long waits; // how often it has begun to wait

  SimulatedReader(SimulatedRelay relay, SimulatedLog log, SplittableRandom random) {
    this.relay = relay;
    this.log = log;
    this.random = random;
  }

  /** Whether a call comes from here, and not from the writer. */
  boolean isReading() {
    return isReading;
  }

  /** Reads a portion, or learns that there is nothing to read. */
  void read() {
    if (relay.node().state().role() == NodeState.Role.OVERTAKEN) {
      return;
    }
    Moment at = relay.machine().clocks().now();
    isReading = true;
    try {
      SharedLog.Range range = relay.parts().log().range();
      relay.after(100 + random.nextInt(2_000), () -> readUpTo(range, at));
    } catch (LogUnavailable e) {
      relay.after(RETRY_MICROS, this::read);
    } finally {
      isReading = false;
    }
  }

  private void readUpTo(SharedLog.Range range, Moment at) {
    if (relay.node().state().applied() < range.last()) {
      readOn(until(), () -> confirm(range, at));
    } else {
      confirm(range, at);
    }
  }

  private void confirm(SharedLog.Range range, Moment at) {
    relay.onWriter(() -> relay.node().confirm(range, at));
    if (relay.node().state().leads()) {
      relay.after(WAIT_MICROS, this::read);
    } else {
      readOn(until(), this::read);
    }
  }

  private long until() {
    return relay.world().schedule().now() + WAIT_MICROS;
  }

  private void readOn(long until, Runnable then) {
    List<byte[]> entries;
    isReading = true;
    try {
      entries =
          relay.parts().log().read(relay.node().state().applied() + 1, Duration.ofMillis(500));
    } catch (LogUnavailable e) {
      relay.after(RETRY_MICROS, this::read);
      return;
    } catch (EntriesGone e) {
      throw new AssertionError(e);
    } finally {
      isReading = false;
    }
    long now = relay.world().schedule().now();
    if (!entries.isEmpty()) {
      List<Entry> decoded = entries.stream().map(Entry::decode).toList();
      relay.onWriter(
          () -> {
            relay.node().applier().follow(decoded, relay.node());
            relay.world().trace(() -> relay + " follows to " + relay.node().state().applied());
            relay.after(random.nextInt(500), then);
          });
    } else if (now >= until) {
      then.run();
    } else {
      await(until, then);
    }
  }

  /** Reads again when there is another entry, or when the time is over. */
  private void await(long until, Runnable then) {
    long wait = ++waits;
    Runnable again =
        () -> {
          if (wait == waits) {
            waits++;
            readOn(until, then);
          }
        };
    long now = relay.world().schedule().now();
    relay.after(until - now, again);
    if (relay.node().state().applied() < log.size()) {
      relay.after(1_000 + random.nextInt(5_000), again); // it lags
    } else {
      log.whenAppended(() -> relay.after(200 + random.nextInt(2_000), again));
    }
  }
}
