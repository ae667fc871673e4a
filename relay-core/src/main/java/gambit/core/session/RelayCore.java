package gambit.core.session;

import gambit.core.feature.ConnectionListener;
import gambit.core.ingest.Ingest;
import gambit.core.lane.Lane;
import gambit.core.live.Live;
import gambit.core.store.EventStore;
import gambit.core.wire.MessageReader;
import java.util.List;

/** What every connection works with; one for the whole relay. Immutable. */
public record RelayCore(
    MessageReader reader,
    Ingest ingest,
    Live live,
    Lane queries,
    EventStore store,
    List<ConnectionListener> listeners,
    Outboxes outboxes,
    Budget allFilterValues,
    Limits limits) {}
