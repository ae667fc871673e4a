package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.RelayBuilder.HandledVerb;
import gambit.core.feature.RelayBuilder.InstalledSearch;
import gambit.core.feature.RelayBuilder.LoginCheck;
import gambit.core.ingest.Ingest;
import gambit.core.ingest.StorageRules;
import gambit.core.lane.Lane;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.LimitValues;
import gambit.core.limit.SharedBudget;
import gambit.core.live.LiveLane;
import gambit.core.model.PubKey;
import gambit.core.rate.RateLimiter;
import gambit.core.store.EventStore;
import gambit.core.store.StoredEvent;
import gambit.core.wire.MessageReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
  /** The stored events, and the lanes of queries: long ones continue on the lane of scans. */
  public record Stored(
      EventStore store, StorageRules rules, Lane queries, Lane scans, SlowQueries slowQueries) {}

  /**
   * What the installed features add to every connection: without a check of logins, the relay takes
   * none (NIP-42); {@code hintsCompleteness} is whether EOSE states if all matching events were
   * sent (NIP-67). Immutable.
   */
  public record SessionFeatures(
      List<ConnectionListener> listeners,
      ReadGuards guards,
      Predicate<PubKey> trusted,
      @Nullable LoginCheck logins,
      BooleanSupplier greets,
      Map<String, HandledVerb> verbs,
      boolean hintsCompleteness,
      @Nullable InstalledSearch search) {}

  public record SessionBounds(
      CurrentLimits currentLimits,
      RateLimiter rates,
      SharedBudget allFilterValues,
      SharedBudget syncBytes) {
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
