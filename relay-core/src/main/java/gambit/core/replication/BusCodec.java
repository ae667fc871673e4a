package gambit.core.replication;

import gambit.core.replication.BusMessage.Ephemeral;
import gambit.core.replication.BusMessage.FenceRequest;
import gambit.core.replication.BusMessage.Goodbye;
import gambit.core.replication.BusMessage.Heartbeat;
import gambit.core.replication.BusMessage.LinkMessage;
import gambit.core.replication.BusMessage.Resign;
import gambit.core.replication.BusMessage.ResyncRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * The binary form of the messages between nodes: a version, the sender, the type, then the message.
 * Stateless.
 */
@SuppressWarnings("EnumOrdinal") // constants are only added at the end, with a new version
final class BusCodec {
  private static final int VERSION = 1;
  private static final int INITIAL_BYTES = 256;

  /** The types; the place of each is its code and never changes. */
  private enum Type {
    HEARTBEAT,
    EPHEMERAL,
    FENCE_REQUEST,
    RESYNC_REQUEST,
    GOODBYE,
    RESIGN,
    LINK
  }

  private static final Type[] TYPES = Type.values();

  /** Where an encoding has its type: after the version and the sender. */
  private static final int TYPE_POSITION = 1 + Long.BYTES;

  /**
   * A message with its sender.
   *
   * @param node the number of the node that has sent it
   */
  record Received(long node, BusMessage message) {}

  private BusCodec() {}

  /**
   * Encodes a message.
   *
   * @param node the number of the sender
   */
  static byte[] encode(long node, BusMessage message) {
    BinaryOutput out = new BinaryOutput(INITIAL_BYTES);
    out.putByte(VERSION);
    out.putLong(node);
    if (message instanceof Heartbeat heartbeat) {
      begin(Type.HEARTBEAT, out);
      writeHeartbeat(heartbeat, out);
    } else if (message instanceof Ephemeral ephemeral) {
      begin(Type.EPHEMERAL, out);
      out.putEvent(ephemeral.event());
    } else if (message instanceof FenceRequest request) {
      begin(Type.FENCE_REQUEST, out);
      out.putNumber(request.number());
    } else if (message instanceof ResyncRequest request) {
      begin(Type.RESYNC_REQUEST, out);
      out.putLong(request.session());
    } else if (message instanceof Goodbye) {
      begin(Type.GOODBYE, out);
    } else if (message instanceof Resign resign) {
      begin(Type.RESIGN, out);
      out.putNumber(resign.epoch());
      out.putNumber(resign.applied());
    } else if (message instanceof LinkMessage link) {
      begin(Type.LINK, out);
      out.putLong(link.session());
      out.putNumber(link.number());
      LinkPayloadForm.write(link.payload(), out);
    } else {
      throw new IllegalArgumentException("unknown message: " + message);
    }
    return out.toArray();
  }

  /** Whether an encoding is a message about a node's life, of which there are few. */
  static boolean isSignOfLife(byte[] encoded) {
    int type = encoded.length > TYPE_POSITION ? encoded[TYPE_POSITION] : -1;
    return type == Type.HEARTBEAT.ordinal()
        || type == Type.GOODBYE.ordinal()
        || type == Type.RESIGN.ordinal();
  }

  private static void begin(Type type, BinaryOutput out) {
    out.putByte(type.ordinal());
  }

  /**
   * Reads an encoding.
   *
   * @throws UnknownVersion when a newer program has written it
   * @throws IllegalArgumentException when it is anything else
   */
  static Received decode(byte[] encoded) {
    BinaryInput in = new BinaryInput(encoded);
    UnknownVersion.requireKnown("A message of another node", in, VERSION);
    long node = in.takeLong();
    BusMessage message =
        switch (in.takeOneOf(TYPES)) {
          case HEARTBEAT -> readHeartbeat(in);
          case EPHEMERAL -> new Ephemeral(in.takeEvent());
          case FENCE_REQUEST -> new FenceRequest(in.takeNumber());
          case RESYNC_REQUEST -> new ResyncRequest(in.takeLong());
          case GOODBYE -> new Goodbye();
          case RESIGN -> new Resign(in.takeNumber(), in.takeNumber());
          case LINK -> new LinkMessage(in.takeLong(), in.takeNumber(), LinkPayloadForm.read(in));
        };
    in.requireEnd();
    return new Received(node, message);
  }

  private static void writeHeartbeat(Heartbeat heartbeat, BinaryOutput out) {
    out.putText(heartbeat.name());
    out.putFlag(heartbeat.leads());
    out.putFlag(heartbeat.waits());
    out.putNumber(heartbeat.epoch());
    out.putNumber(heartbeat.applied());
    out.putLong(heartbeat.linkSession());
    out.putNumber(heartbeat.linkNumber());
    out.putNumber(heartbeat.sessions().size());
    heartbeat
        .sessions()
        .forEach(
            (node, session) -> {
              out.putLong(node);
              out.putLong(session);
            });
  }

  private static Heartbeat readHeartbeat(BinaryInput in) {
    return new Heartbeat(
        in.takeText(),
        in.takeFlag(),
        in.takeFlag(),
        in.takeNumber(),
        in.takeNumber(),
        in.takeLong(),
        in.takeNumber(),
        readSessions(in));
  }

  private static Map<Long, Long> readSessions(BinaryInput in) {
    Map<Long, Long> sessions = new HashMap<>();
    for (int i = in.takeCount(2 * Long.BYTES); i > 0; i--) {
      sessions.put(in.takeLong(), in.takeLong());
    }
    return sessions;
  }
}
