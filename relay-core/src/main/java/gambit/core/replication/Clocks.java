package gambit.core.replication;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The clocks of a node. Immutable.
 *
 * @param time the time of day, which may be set
 * @param steady is never set, but may stand still while the machine sleeps; it begins anywhere
 */
record Clocks(InstantSource time, InstantSource steady) {

  /** The time of day, and that of the process. */
  static Clocks of(InstantSource time) {
    long start = System.nanoTime();
    return new Clocks(time, () -> Instant.EPOCH.plusNanos(System.nanoTime() - start));
  }

  record Moment(Instant time, Instant steady) {
    Moment minus(Duration duration) {
      return new Moment(time.minus(duration), steady.minus(duration));
    }
  }

  Moment now() {
    return new Moment(time.instant(), steady.instant());
  }

  /**
   * The time since a moment by the clock by which it is longer: one may have been set back, the
   * other may have stood still.
   */
  Duration longestSince(Moment moment) {
    Duration byTime = Duration.between(moment.time(), time.instant());
    Duration bySteady = Duration.between(moment.steady(), steady.instant());
    return byTime.compareTo(bySteady) > 0 ? byTime : bySteady;
  }
}
