package gambit.core.net;

import gambit.core.rate.RateLimiter;
import gambit.core.session.Limits;
import gambit.core.session.SharedBound;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * What every channel of the port works with. Immutable.
 *
 * @param information the relay information document (NIP-11)
 * @param outboxes bounds what waits for all clients
 * @param resting where more has been read than is handled
 * @param ending set once the relay takes no clients and no messages any more
 * @param onDeath hears of errors on event loops: the process should end
 * @param unfinished bounds what all clients have sent of messages that are not whole yet
 */
record Endpoint(
    Conversation.Kind conversations,
    String information,
    Limits limits,
    Transport transport,
    RateLimiter rates,
    SharedBound outboxes,
    SharedBound unfinished,
    Clients clients,
    Resting resting,
    ServerMeters meters,
    InstantSource time,
    AtomicBoolean ending,
    Consumer<Throwable> onDeath) {}
