package gambit.core.session;

import gambit.core.rate.ClientAddress;

/**
 * The other end of a connection, as its handshake shows it: a client, or a command of the relay's
 * operator, which may have verified the signatures of the events that it sends.
 */
public record Peer(ClientAddress address, boolean isOperator, boolean hasVerifiedEvents) {}
