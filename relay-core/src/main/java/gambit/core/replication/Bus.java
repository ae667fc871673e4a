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

    /** A node that was {@linkplain Bus#seek sought} has no connection to the bus. */
    default void absent(long node) {}
  }

  /** Receives the messages to a node, and those to all nodes except its own. Called once. */
  void listen(long node, Receiver receiver);

  void send(long node, byte[] message);

  void sendToAll(byte[] message);

  /**
   * Asks whether a node is connected. One that is does not notice; for one that is not, as after
   * the end of its process, {@link Receiver#absent} is called, unless the bus cannot know that.
   */
  default void seek(long node) {}

  int maxMessageBytes();

  @Override
  void close();
}
