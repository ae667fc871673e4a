package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.ingest.Ingest;
import gambit.core.ingest.StorageRules;
import gambit.core.lane.Lane;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.LimitValues;
import gambit.core.limit.SharedBudget;
import gambit.core.live.LiveLane;
import gambit.core.rate.RateLimiter;
import gambit.core.store.EventStore;
import gambit.core.store.StoredEvent;
import gambit.core.wire.MessageReader;
import java.time.Instant;

/** The parts of the relay that all connections share. Immutable. */
public record RelayCore(
    MessageReader reader,
    Ingest ingest,
    LiveLane live,
    Stored stored,
    SessionFeatures features,
    SessionBounds bounds,
    SessionMetrics metrics,
    Lifecycle lifecycle) {
  /**
   * The stored events and the lanes of queries; queries that examine many entries continue on the
   * lane of scans.
   */
  public record Stored(
      EventStore store, StorageRules rules, Lane queries, Lane scans, SlowQueries slowQueries) {}

  public record SessionBounds(
      CurrentLimits currentLimits,
      RateLimiter rates,
      SharedBudget allFilterValues,
      SharedBudget syncBytes) {
    /** The limits in force now, which must not be kept. */
    LimitValues limits() {
      return currentLimits.now();
    }
  }

  /** The time on the relay's clock, which is read once for a page of events. */
  Instant now() {
    return lifecycle.time().instant();
  }

  /** Whether a stored event is served at that time and the reader may read it. */
  boolean shows(StoredEvent event, ClientConnection reader, Instant now) {
    return stored.rules().isServed(event, now) && features.guards().mayRead(event.event(), reader);
  }
}
