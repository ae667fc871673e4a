package gambit.core.ingest;

import gambit.core.feature.WriteOutcome;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.store.EventStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes away what is over: every minute, a portion a commit, each behind whatever the writer has to
 * do by then; afterwards the store gives back room, on a lane of its own. One round at a time.
 */
public final class Sweep implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final EventStore store;
  private final Writer writer;
  private final StorageRules rules;
  private final Retention retention;
  private final Lane lane;
  private final Deadlines deadlines;
  private final InstantSource time;

  /**
   * Sets the first alarm.
   *
   * @param lane on which the store gives back room
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
    waitForNext();
  }

  private void waitForNext() {
    deadlines.set(this, EVERY, this::sweep);
  }

  private void sweep() {
    AtomicInteger gone = new AtomicInteger();
    writer.maintain(
        transaction -> {
          gone.set(rules.sweep(transaction, retention, store.bytes(), time.instant()));
          return WriteOutcome.STORED;
        },
        outcome -> {
          if (outcome == WriteOutcome.STORED && gone.get() > 0) {
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
        waitForNext();
      }
    }
  }

  /** Ends after what it is doing just now. */
  @Override
  public void close() {
    lane.abandon();
    deadlines.cancel(this);
  }
}
