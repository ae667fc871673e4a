package gambit.core.replication;

import gambit.core.model.Event;
import java.util.Map;

/**
 * A message between nodes: the complete list. Its binary form is a version, then the message with
 * its sender. Immutable.
 */
sealed interface BusMessage {

  /**
   * A sign of life, to all nodes, about the sender.
   *
   * @param leads whether it is the leader, as far as it knows
   * @param waits whether it waits for the log: all that follows is as of some time ago
   * @param linkSession the session of its link to the leader; 0 if there is none
   * @param linkNumber the number of the last message on it; 0 if there is none
   * @param sessions of the leader: the session of its link to each node
   */
  record Heartbeat(
      String name,
      boolean leads,
      boolean waits,
      long epoch,
      long applied,
      long linkSession,
      long linkNumber,
      Map<Long, Long> sessions)
      implements BusMessage {
    public Heartbeat waiting() {
      return new Heartbeat(name, leads, true, epoch, applied, linkSession, linkNumber, sessions);
    }
  }

  /** An ephemeral event that the sender has broadcast to its own clients; to all nodes. */
  record Ephemeral(Event event) implements BusMessage {}

  /** The leader asks a node to forward what has arrived there: {@link LinkPayload.Report}. */
  record FenceRequest(long number) implements BusMessage {}

  /**
   * The leader asks a node for a new session: that one has a gap, or the leader does not know it.
   */
  record ResyncRequest(long session) implements BusMessage {}

  /** The sender is leaving; to all nodes. */
  record Goodbye() implements BusMessage {}

  /** The leader hands over: it appends nothing more in this epoch, after the entry applied. */
  record Resign(long epoch, long applied) implements BusMessage {}

  /**
   * A message of a follower's link to the leader.
   *
   * @param session greater than all before of the same node
   * @param number from 1 on in each session, without gaps
   */
  record LinkMessage(long session, long number, LinkPayload payload) implements BusMessage {}

  /** A message with the number of the node that has sent it. */
  record Received(long node, BusMessage message) {
    private static final int VERSION = 1;
    private static final int INITIAL_BYTES = 512;
    private static final RecordCodec<Received> CODEC = new RecordCodec<>(Received.class);
  }

  static byte[] encode(long node, BusMessage message) {
    return Received.CODEC.encode(
        Received.VERSION, new Received(node, message), Received.INITIAL_BYTES);
  }

  /**
   * Reads an encoding.
   *
   * @throws RecordCodec.UnknownVersion when a newer program has written it
   * @throws IllegalArgumentException when it is anything else
   */
  static Received decode(byte[] encoded) {
    return Received.CODEC.decode("A message of another node", Received.VERSION, encoded);
  }
}
