package gambit.core.feature;

import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.util.Set;

/**
 * A client that is connected to this node, since a time in seconds of Unix time, with what it holds
 * and has done so far. Immutable.
 *
 * @param id of the connection, not used again
 * @param subscriptions with queries of other messages that run
 * @param refused answers to it that refuse something
 */
public record ConnectedClient(
    String id,
    ClientAddress address,
    Set<PubKey> keys,
    long since,
    int subscriptions,
    long outboxBytes,
    long messages,
    int refused) {}
