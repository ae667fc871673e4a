package gambit.core.feature;

import gambit.core.model.PubKey;

/**
 * Hears of what becomes of connections. Called on the connection's event loop: only hand on, never
 * wait.
 */
public interface ConnectionListener {
  /**
   * A login was taken (NIP-42): the key is among {@link ClientConnection#keys} now. Called after
   * its OK was sent, and before anything that the client sends after the login is handled; again
   * for a key that logs in again.
   */
  default void authenticated(ClientConnection connection, PubKey key) {}

  /** Called exactly once for each connection, after the last message of it was handed on. */
  void closed(ClientConnection connection);
}
