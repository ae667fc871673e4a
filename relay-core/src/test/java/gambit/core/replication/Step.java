package gambit.core.replication;

import org.jspecify.annotations.Nullable;

/**
 * Something that happens in a simulation at a time.
 *
 * @param micros when, in microseconds
 * @param number later ones have higher numbers
 * @param relay that which does it; it waits while the relay stands still, and is dropped with it
 */
record Step(long micros, long number, @Nullable SimulatedRelay relay, Runnable run)
    implements Comparable<Step> {
  @Override
  public int compareTo(Step other) {
    int byTime = Long.compare(micros, other.micros);
    return byTime != 0 ? byTime : Long.compare(number, other.number);
  }
}
