package gambit.core.feature;

import gambit.core.model.PubKey;

/** Is notified of logins and closed connections, on their event loop; it must never wait. */
public interface ConnectionListener {
  /**
   * The client has logged in (NIP-42): {@link ClientConnection#keys} contains the key. Called after
   * the OK was sent and before any later message of the client is handled; called again when the
   * same key logs in again. A node that begins to lead a cluster calls it for each key of the
   * connections that stay open, to any node, on the writer's thread.
   */
  default void authenticated(ClientConnection connection, PubKey key) {}

  /** The connection has closed. Called exactly once, after its last message was handled. */
  void closed(ClientConnection connection);
}
