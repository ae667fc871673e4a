package gambit.core.feature;

import gambit.core.model.PubKey;

/**
 * Is notified of logins and of closed connections. Called on the connection's event loop: it must
 * be quick and never wait.
 */
public interface ConnectionListener {
  /**
   * The client has logged in (NIP-42): {@link ClientConnection#keys} contains the key. Called after
   * the OK was sent and before any later message of the client is handled; called again when the
   * same key logs in again.
   */
  default void authenticated(ClientConnection connection, PubKey key) {}

  /**
   * This node leads the cluster, and learns of a connection that has logged in or has notes: one
   * that lives since before it has led, or one to another node. Called before any later message of
   * the client is handled, on the writer's thread. {@link #authenticated} is not called for earlier
   * logins; the {@link ClientConnection#notes} show which of them an earlier leader has handled.
   */
  default void resumed(ClientConnection connection) {}

  /** The connection has closed. Called exactly once, after its last message was handled. */
  void closed(ClientConnection connection);
}
