package gambit.core.ingest;

import gambit.core.feature.WriteOutcome;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.store.EventStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic removal of expired, vanished and unwanted events: every minute, a portion in each
 * commit, queued after the writer's other requests. Then the store reclaims space, on a lane of its
 * own. One round at a time.
 */
public final class Sweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final EventStore store;
  private final Writer writer;
  private final StorageRules rules;
  private final Lane lane;
  private final Deadlines deadlines;
  private final InstantSource time;
  private volatile Retention retention;

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

  /** Puts another retention in force, from the next round on. Any thread. */
  public void change(Retention changed) {
    retention = changed;
  }

  private void scheduleNext() {
    deadlines.set(this, INTERVAL, () -> sweep(System.nanoTime(), SweptEvents.NONE));
  }

  /** Removes a portion, and continues while there is more. */
  private void sweep(long roundStart, SweptEvents before) {
    AtomicReference<SweptEvents> removed = new AtomicReference<>(SweptEvents.NONE);
    writer.maintain(
        transaction -> {
          removed.set(rules.sweep(transaction, retention, store.bytes(), time.instant()));
          return WriteOutcome.STORED;
        },
        outcome -> {
          SweptEvents portion =
              outcome == WriteOutcome.STORED
                  ? Objects.requireNonNull(removed.get())
                  : SweptEvents.NONE;
          if (portion.total() > 0) {
            sweep(roundStart, before.plus(portion));
          } else {
            logRound(before, System.nanoTime() - roundStart);
            lane.put(this::finishRound);
          }
        });
  }

  private static void logRound(SweptEvents removed, long nanos) {
    if (removed.total() > 0) {
      LOG.info(
          "The sweep removed {} events in {} ms: {} expired, {} beyond store.retention or"
              + " store.max_bytes, {} of vanished authors",
          removed.total(),
          Duration.ofNanos(nanos).toMillis(),
          removed.expired(),
          removed.unwanted(),
          removed.vanished());
    }
  }

  /** Reclaims space, and has the store log whether there is room although no event arrives. */
  private void finishRound() {
    store.hasRoomForClients();
    reclaim();
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
