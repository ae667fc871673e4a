package gambit.core.ingest;

import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Events to be stored all or none, and what to let out once that is decided.
 *
 * @param mayUseReserve whether the room that is kept for features may be used
 * @param outcome called on the writer's thread, exactly once
 * @param settled called on the writer's thread, exactly once, when what is let out was handed on
 */
record WriteRequest(
    List<Event> events,
    boolean mayUseReserve,
    Function<WriteOutcome, List<Outgoing>> outcome,
    Consumer<WriteOutcome> settled) {}
