package gambit.core.replication.message;

/** The binary form of the messages between nodes: a version, then the message with its sender. */
public final class BusCodec {
  private static final int VERSION = 1;
  private static final int INITIAL_BYTES = 512;
  private static final RecordCodec<Received> CODEC = new RecordCodec<>(Received.class);

  /** A message with the number of the node that has sent it. */
  public record Received(long node, BusMessage message) {}

  private BusCodec() {}

  public static byte[] encode(long node, BusMessage message) {
    return CODEC.encode(VERSION, new Received(node, message), INITIAL_BYTES);
  }

  /**
   * Reads an encoding.
   *
   * @throws UnknownVersion when a newer program has written it
   * @throws IllegalArgumentException when it is anything else
   */
  public static Received decode(byte[] encoded) {
    return CODEC.decode("A message of another node", VERSION, encoded);
  }
}
