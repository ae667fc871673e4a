package gambit.core.replication;

import gambit.core.feature.ConnectionListener;
import gambit.core.feature.Publisher;
import gambit.core.ingest.Ingest;
import gambit.core.lane.Deadlines;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The parts of the relay that a node of a cluster works with.
 *
 * @param writer runs tasks on the writer's thread, in order
 * @param afterArrivals runs its argument when the messages are handled that this node has read
 * @param sendAway disconnects all clients, so that they come back at another node
 */
public record HostRelay(
    Executor writer,
    Ingest ingest,
    Publisher publisher,
    List<ConnectionListener> listeners,
    Consumer<Runnable> afterArrivals,
    Runnable sendAway,
    Deadlines deadlines) {}
