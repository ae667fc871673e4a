package gambit.core.ingest;

import gambit.core.feature.WriteOutcome;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.store.EventStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The periodic removal of expired, vanished and unwanted events: every minute, a portion in each
 * commit, queued after the writer's other requests. Then the store reclaims space, on a lane of its
 * own. One round at a time.
 */
public final class Sweep implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final EventStore store;
  private final Writer writer;
  private final StorageRules rules;
  private final Retention retention;
  private final Lane lane;
  private final Deadlines deadlines;
  private final InstantSource time;

  /**
   * Schedules the first round.
   *
   * @param lane the lane on which the store reclaims space
   */
  public Sweep(
      EventStore store,
      Writer writer,
      StorageRules rules,
      Retention retention,
      Lane lane,
      Deadlines deadlines,
      InstantSource time) {
    this.store = store;
    this.writer = writer;
    this.rules = rules;
    this.retention = retention;
    this.lane = lane;
    this.deadlines = deadlines;
    this.time = time;
    scheduleNext();
  }

  private void scheduleNext() {
    deadlines.set(this, INTERVAL, this::sweep);
  }

  private void sweep() {
    AtomicInteger removed = new AtomicInteger();
    writer.maintain(
        transaction -> {
          removed.set(rules.sweep(transaction, retention, store.bytes(), time.instant()));
          return WriteOutcome.STORED;
        },
        outcome -> {
          if (outcome == WriteOutcome.STORED && removed.get() > 0) {
            sweep();
          } else {
            lane.put(this::reclaim);
          }
        });
  }

  private void reclaim() {
    boolean more = false;
    try {
      more = store.reclaim(time.instant());
    } finally {
      if (more) {
        lane.put(this::reclaim);
      } else {
        scheduleNext();
      }
    }
  }

  /** Ends after the current step. */
  @Override
  public void close() {
    lane.abandon();
    deadlines.cancel(this);
  }
}
