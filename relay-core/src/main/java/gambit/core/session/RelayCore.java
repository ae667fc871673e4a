package gambit.core.session;

import gambit.core.feature.ClientConnection;
import gambit.core.ingest.Ingest;
import gambit.core.lane.Lane;
import gambit.core.live.Live;
import gambit.core.rate.RateLimiter;
import gambit.core.store.EventStore;
import gambit.core.store.StoredEvent;
import gambit.core.wire.MessageReader;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What every connection works with; one for the whole relay. Immutable.
 *
 * @param queries where queries begin, and go on as long as they find what they look for
 * @param scans where those go on that look at much and find little
 * @param isServed whether a stored event is shown to anybody
 * @param ending set once the relay takes no clients and no messages any more
 * @param onDeath hears of errors on event loops: the process should end
 */
public record RelayCore(
    MessageReader reader,
    Ingest ingest,
    Live live,
    Lane queries,
    Lane scans,
    EventStore store,
    Predicate<StoredEvent> isServed,
    SessionFeatures features,
    Budget allFilterValues,
    Limits limits,
    RateLimiter rates,
    SessionMeters meters,
    InstantSource time,
    AtomicBoolean ending,
    Consumer<Throwable> onDeath) {

  /** Whether a stored event is shown to this reader. */
  boolean shows(StoredEvent stored, ClientConnection reader) {
    return isServed.test(stored) && features.guards().mayRead(stored.event(), reader);
  }
}
