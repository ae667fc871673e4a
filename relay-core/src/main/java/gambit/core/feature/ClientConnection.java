package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import java.util.Set;

/**
 * A client's connection, as features see it: a name to bind things to. Equality is identity. Any
 * thread may call it; nothing blocks, and what a closed connection is sent is dropped.
 */
public interface ClientConnection {
  /** False once it is closed; it may close at any moment. */
  boolean isOpen();

  /** Where the client is. */
  ClientAddress address();

  /** The keys that the client has proved to hold (NIP-42); they only become more. */
  Set<PubKey> keys();

  /** Sends the one answer to an event that came over this connection. */
  void answer(Event event, RelayMessage.Ok ok);

  /**
   * Asks the client to log in, by sending its challenge (NIP-42), although nothing is refused. Only
   * the first such request or refusal of a connection sends it; none does once the client has
   * logged in with any key, or where no logins are taken.
   */
  void requestLogin();

  /** Sends anything else. A client that does not read is disconnected when too much waits. */
  void send(RelayMessage message);
}
