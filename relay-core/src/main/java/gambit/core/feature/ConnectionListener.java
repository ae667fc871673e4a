package gambit.core.feature;

/**
 * Hears of connections that end. Called on the connection's event loop: only hand on, never wait.
 */
public interface ConnectionListener {
  /** Called exactly once for each connection, after the last message of it was handed on. */
  void closed(ClientConnection connection);
}
