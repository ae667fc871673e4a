package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import java.util.HashSet;
import java.util.Set;

/**
 * A client's connection as features see it. Equality is identity. Its methods may be called from
 * any thread and never block; messages to a closed connection are dropped.
 */
public interface ClientConnection {
  /** Whether the connection is open; it may close at any moment. */
  boolean isOpen();

  ClientAddress address();

  /** The keys with which the client has logged in (NIP-42); keys are added and never removed. */
  Set<PubKey> keys();

  /**
   * The address and the keys whose shares in a bound for all clients ({@code SharedBudget}) limit
   * what this connection reserves; none for the operator.
   */
  default Set<Object> owners() {
    if (isOperator()) {
      return Set.of();
    } else if (keys().isEmpty()) {
      return Set.of(address());
    }
    Set<Object> owners = new HashSet<>(keys());
    owners.add(address());
    return owners;
  }

  /**
   * Whether the client is a command of the relay's operator: it has the token of the running
   * relay's data directory. It may read everything that is served, without a limit; its events are
   * imported.
   */
  boolean isOperator();

  /** Whether it stands for the sender of one event, as that of an import does. */
  default boolean isForOneEvent() {
    return false;
  }

  /** Sends the only answer to an event that was received over this connection. */
  void answer(Event event, RelayMessage.Ok ok);

  /**
   * Asks the client to log in by sending its challenge (NIP-42), although nothing is refused. Only
   * the first such request or refusal of a connection sends the challenge. Nothing is sent if the
   * client has logged in with any key or the relay takes no logins.
   */
  void requestLogin();

  /** Sends any other message. A client whose outbox exceeds its bound is disconnected. */
  void send(RelayMessage message);

  /**
   * Runs a task, on any thread, once all messages that were sent before this call have been handed
   * to the client's socket; never if the connection is closed before.
   */
  void afterOutput(Runnable task);

  /**
   * Disconnects a client of this node with code 1012 once its output is sent, so that it connects
   * again: another node leads the cluster, and knows nothing of what the client has begun.
   */
  default void closeForRestart() {}
}
