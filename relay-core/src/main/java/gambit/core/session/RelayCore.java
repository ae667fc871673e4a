package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.ingest.Ingest;
import gambit.core.lane.Lane;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limits;
import gambit.core.limit.SharedBudget;
import gambit.core.live.LiveLane;
import gambit.core.rate.RateLimiter;
import gambit.core.store.EventStore;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.wire.MessageReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

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
   * The stored events and the lanes of queries.
   *
   * @param isServed whether a stored event is served at all, at a time
   * @param unserved finds the stored events that are not
   * @param queries the lane on which queries begin
   * @param scans the lane on which queries continue that examine many entries
   * @param slowQueries logs the queries that took long
   */
  public record Stored(
      EventStore store,
      BiPredicate<StoredEvent, Instant> isServed,
      UnservedEvents unserved,
      Lane queries,
      Lane scans,
      SlowQueries slowQueries) {}

  /** Finds the events that are stored and no longer served, until the sweep removes them. */
  @FunctionalInterface
  public interface UnservedEvents {
    /** Those in a snapshot, in any order; empty if there are more than {@code max}. Any thread. */
    Optional<List<StoredEvent>> in(StoreSnapshot snapshot, int max);
  }

  /**
   * The bounds on the use by clients.
   *
   * @param allFilterValues the filter values of all clients
   * @param syncBytes the bytes that the syncs of all clients hold
   */
  public record SessionBounds(
      CurrentLimits currentLimits,
      RateLimiter rates,
      SharedBudget allFilterValues,
      SharedBudget syncBytes) {

    /** The limits in force now, which must not be kept. */
    Limits limits() {
      return currentLimits.now();
    }
  }

  /** The time on the relay's clock, which is read once for a page of events. */
  Instant now() {
    return lifecycle.time().instant();
  }

  /** Whether a stored event is served at that time and the reader may read it. */
  boolean shows(StoredEvent event, ClientConnection reader, Instant now) {
    return stored.isServed().test(event, now) && features.guards().mayRead(event.event(), reader);
  }
}
