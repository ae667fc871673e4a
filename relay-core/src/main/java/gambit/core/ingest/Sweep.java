package gambit.core.ingest;

import gambit.core.feature.WriteOutcome;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import java.time.Duration;
import java.time.Instant;
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
  private final RetentionSweep retentionSweep; // the writer's thread only
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
    this.retentionSweep = new RetentionSweep(store);
    this.lane = lane;
    this.deadlines = deadlines;
    this.time = time;
    scheduleNext();
  }

  /** Puts another retention in force, from the next round on. Any thread. */
  public void change(Retention changed) {
    retention = changed;
  }

  /**
   * Numbers of events that a sweep has removed. Immutable.
   *
   * @param vanished of authors who have requested to vanish
   * @param expired whose expiration time has passed
   * @param unwanted beyond the retention of the operator, by age or size
   */
  record SweptEvents(int vanished, int expired, int unwanted) {
    static final SweptEvents NONE = new SweptEvents(0, 0, 0);

    int total() {
      return vanished + expired + unwanted;
    }

    SweptEvents plus(SweptEvents other) {
      return new SweptEvents(
          vanished + other.vanished, expired + other.expired, unwanted + other.unwanted);
    }
  }

  /**
   * What one transaction of a round has removed.
   *
   * @param hasMore whether the round continues; if not, nothing was removed
   */
  record Portion(SweptEvents removed, boolean hasMore) {
    static final Portion LAST = new Portion(SweptEvents.NONE, false);
  }

  private void scheduleNext() {
    deadlines.set(this, INTERVAL, () -> sweep(System.nanoTime(), SweptEvents.NONE));
  }

  /** Removes a portion, and continues while there is more. */
  private void sweep(long roundStart, SweptEvents before) {
    AtomicReference<Portion> settled = new AtomicReference<>(Portion.LAST);
    writer.maintain(
        transaction -> {
          settled.set(removePortion(transaction));
          return WriteOutcome.STORED;
        },
        outcome -> {
          Portion portion = Objects.requireNonNull(settled.get());
          if (outcome == WriteOutcome.STORED && portion.hasMore()) {
            sweep(roundStart, before.plus(portion.removed()));
          } else {
            if (outcome != WriteOutcome.STORED) {
              retentionSweep.forget();
            }
            logRound(before, System.nanoTime() - roundStart);
            lane.put(this::finishRound);
          }
        });
  }

  /** On the writer's thread. */
  private Portion removePortion(Transaction transaction) {
    Instant now = time.instant();
    SweptEvents removed = rules.sweep(transaction, now);
    return removed.total() > 0
        ? new Portion(removed, true)
        : retentionSweep.removePortion(transaction, retention, now);
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
