package gambit.core.feature;

import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.util.Set;

/**
 * A client that is connected to this node, with what it holds and has done so far. Immutable.
 *
 * @param id of the connection, not used again
 * @param keys with which it has logged in (NIP-42)
 * @param since when it connected, in seconds of Unix time
 * @param subscriptions with queries of other messages that run
 * @param outboxBytes that wait for it
 * @param messages that it has sent
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
