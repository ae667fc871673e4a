package gambit.core.replication;

/**
 * Messages between the nodes of a cluster. A message may be lost. Those of one sender to one node,
 * and those of one sender to all nodes, arrive in order and once at most. Thread-safe; never
 * blocks.
 */
public interface Bus extends AutoCloseable {

  /** Receives messages, on one thread at a time; it must be quick and never wait. */
  @FunctionalInterface
  interface Receiver {
    void receive(byte[] message);
  }

  /**
   * Receives the messages to a node, and those to all nodes except its own. Called once.
   *
   * @param node the number that the node has chosen by chance at its start
   */
  void listen(long node, Receiver receiver);

  void send(long node, byte[] message);

  void sendToAll(byte[] message);

  int maxMessageBytes();

  @Override
  void close();
}
