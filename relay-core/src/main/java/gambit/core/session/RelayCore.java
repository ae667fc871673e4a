package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.ingest.Ingest;
import gambit.core.lane.Lane;
import gambit.core.limit.Budget;
import gambit.core.limit.Limits;
import gambit.core.live.LiveLane;
import gambit.core.rate.RateLimiter;
import gambit.core.store.EventStore;
import gambit.core.store.StoredEvent;
import gambit.core.wire.MessageReader;
import java.util.function.Predicate;

/** What every connection works with; one for the whole relay. Immutable. */
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
   * The stored events, and where they are looked for.
   *
   * @param isServed whether a stored event is shown to anybody
   * @param queries where queries begin, and stay as long as they find what they look for
   * @param scans where those continue that examine much and find little
   */
  public record Stored(
      EventStore store, Predicate<StoredEvent> isServed, Lane queries, Lane scans) {}

  /** The bounds on what clients may ask for; {@code allFilterValues} is shared by all of them. */
  public record SessionBounds(Limits limits, RateLimiter rates, Budget allFilterValues) {}

  /** Whether a stored event is shown to this reader. */
  boolean shows(StoredEvent event, ClientConnection reader) {
    return stored.isServed().test(event) && features.guards().mayRead(event.event(), reader);
  }
}
