package gambit.core.session;

import gambit.core.rate.ClientAddress;

/**
 * The other end of a connection, as its handshake shows it.
 *
 * @param isOperator whether it is a command of the relay's operator
 * @param hasVerifiedEvents whether that command has verified the signatures of the events that it
 *     sends, so that the relay need not
 */
public record Peer(ClientAddress address, boolean isOperator, boolean hasVerifiedEvents) {
  public static Peer client(ClientAddress address) {
    return new Peer(address, false, false);
  }
}
