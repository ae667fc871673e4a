package gambit.core.replication.message;

import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.replication.message.BusMessage.Ephemeral;
import gambit.core.replication.message.BusMessage.FenceRequest;
import gambit.core.replication.message.BusMessage.Goodbye;
import gambit.core.replication.message.BusMessage.Heartbeat;
import gambit.core.replication.message.BusMessage.LinkMessage;
import gambit.core.replication.message.BusMessage.Resign;
import gambit.core.replication.message.BusMessage.ResyncRequest;
import gambit.core.replication.message.LinkPayload.Closed;
import gambit.core.replication.message.LinkPayload.CommitRequest;
import gambit.core.replication.message.LinkPayload.FencePassed;
import gambit.core.replication.message.LinkPayload.Hello;
import gambit.core.replication.message.LinkPayload.Login;
import gambit.core.replication.message.LinkPayload.Open;
import gambit.core.replication.message.LinkPayload.Report;
import gambit.core.replication.message.LinkPayload.Submit;
import gambit.core.replication.message.LinkPayload.SubscriptionChecked;
import gambit.core.replication.message.LinkPayload.SubscriptionClosed;
import gambit.core.replication.message.LinkPayload.SubscriptionOpened;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The binary form of the messages between nodes: a version, the sender, the type, then the message.
 * Stateless.
 */
@SuppressWarnings("EnumOrdinal") // constants are only added at the end, with a new version
public final class BusCodec {
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

  /**
   * The types of what a follower sends over its link; the place of each is its code and never
   * changes.
   */
  private enum PayloadType {
    HELLO,
    OPEN,
    LOGIN,
    CLOSED,
    SUBMIT,
    COMMIT_REQUEST,
    SUBSCRIPTION_OPENED,
    SUBSCRIPTION_CHECKED,
    SUBSCRIPTION_CLOSED,
    REPORT,
    FENCE_PASSED
  }

  private static final PayloadType[] PAYLOAD_TYPES = PayloadType.values();

  /** The least bytes of a row: three lengths or flags. */
  private static final int ROW_BYTES = 3;

  /** Where an encoding has its type: after the version and the sender. */
  private static final int TYPE_POSITION = 1 + Long.BYTES;

  /**
   * A message with its sender.
   *
   * @param node the number of the node that has sent it
   */
  public record Received(long node, BusMessage message) {}

  private BusCodec() {}

  /**
   * Encodes a message.
   *
   * @param node the number of the sender
   */
  public static byte[] encode(long node, BusMessage message) {
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
      write(link.payload(), out);
    } else {
      throw new IllegalArgumentException("unknown message: " + message);
    }
    return out.toArray();
  }

  /** Whether an encoding is a message about a node's life, of which there are few. */
  public static boolean isSignOfLife(byte[] encoded) {
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
  public static Received decode(byte[] encoded) {
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
          case LINK -> new LinkMessage(in.takeLong(), in.takeNumber(), readPayload(in));
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

  // ---- what a follower sends over its link

  private static void write(LinkPayload payload, BinaryOutput out) {
    if (payload instanceof Submit submit) {
      begin(PayloadType.SUBMIT, out);
      out.putNumber(submit.number());
      out.putNumber(submit.connection());
      out.putNumber(submit.ageMillis());
      out.putFlag(submit.awaited());
      out.putFlag(submit.imported());
      out.putEvent(submit.event());
    } else if (payload instanceof Hello hello) {
      begin(PayloadType.HELLO, out);
      out.putFlag(hello.needsStates());
    } else if (payload instanceof Open open) {
      begin(PayloadType.OPEN, out);
      writeOpen(open, out);
    } else if (payload instanceof Login login) {
      begin(PayloadType.LOGIN, out);
      out.putNumber(login.connection());
      out.putIds(login.keys());
    } else if (payload instanceof Closed closed) {
      begin(PayloadType.CLOSED, out);
      out.putNumber(closed.connection());
    } else if (payload instanceof CommitRequest request) {
      begin(PayloadType.COMMIT_REQUEST, out);
      out.putNumber(request.number());
      writeCommit(request.commit(), out);
    } else if (payload instanceof SubscriptionOpened opened) {
      begin(PayloadType.SUBSCRIPTION_OPENED, out);
      out.putNumber(opened.connection());
      FilterForm.write(opened.filters(), out);
    } else if (payload instanceof SubscriptionChecked checked) {
      begin(PayloadType.SUBSCRIPTION_CHECKED, out);
      out.putNumber(checked.connection());
      FilterForm.write(checked.filters(), out);
    } else if (payload instanceof SubscriptionClosed closed) {
      begin(PayloadType.SUBSCRIPTION_CLOSED, out);
      out.putNumber(closed.connection());
      FilterForm.write(closed.filters(), out);
    } else if (payload instanceof Report report) {
      begin(PayloadType.REPORT, out);
      out.putNumber(report.number());
      out.putFlag(report.isSent());
    } else if (payload instanceof FencePassed fence) {
      begin(PayloadType.FENCE_PASSED, out);
      out.putNumber(fence.number());
    } else {
      throw new IllegalArgumentException("unknown payload: " + payload);
    }
  }

  private static void begin(PayloadType type, BinaryOutput out) {
    out.putByte(type.ordinal());
  }

  private static LinkPayload readPayload(BinaryInput in) {
    return switch (in.takeOneOf(PAYLOAD_TYPES)) {
      case HELLO -> new Hello(in.takeFlag());
      case OPEN -> new Open(in.takeNumber(), readAddress(in), in.takeFlag(), readKeys(in));
      case LOGIN -> new Login(in.takeNumber(), readKeys(in));
      case CLOSED -> new Closed(in.takeNumber());
      case SUBMIT ->
          new Submit(
              in.takeNumber(),
              in.takeNumber(),
              in.takeNaturalNumber(),
              in.takeFlag(),
              in.takeFlag(),
              in.takeEvent());
      case COMMIT_REQUEST -> new CommitRequest(in.takeNumber(), readCommit(in));
      case SUBSCRIPTION_OPENED -> new SubscriptionOpened(in.takeNumber(), FilterForm.read(in));
      case SUBSCRIPTION_CHECKED -> new SubscriptionChecked(in.takeNumber(), FilterForm.read(in));
      case SUBSCRIPTION_CLOSED -> new SubscriptionClosed(in.takeNumber(), FilterForm.read(in));
      case REPORT -> new Report(in.takeNumber(), in.takeFlag());
      case FENCE_PASSED -> new FencePassed(in.takeNumber());
    };
  }

  private static void writeOpen(Open open, BinaryOutput out) {
    out.putNumber(open.connection());
    out.putFlag(open.address().isIpv6());
    out.putLong(open.address().bits());
    out.putFlag(open.isOperator());
    out.putIds(open.keys());
  }

  private static ClientAddress readAddress(BinaryInput in) {
    return new ClientAddress(in.takeFlag(), in.takeLong());
  }

  private static Set<PubKey> readKeys(BinaryInput in) {
    return Set.copyOf(in.takePubKeys());
  }

  private static void writeCommit(Commit commit, BinaryOutput out) {
    out.putNumber(commit.events().size());
    commit.events().forEach(out::putEvent);
    out.putIds(commit.withdrawn());
    out.putIds(commit.erased());
    writeRows(commit.rows(), out);
  }

  private static void writeRows(Collection<Row> rows, BinaryOutput out) {
    out.putNumber(rows.size());
    for (Row row : rows) {
      out.putText(row.table());
      out.putBytes(row.key());
      out.putOptionalBytes(row.value());
    }
  }

  private static Commit readCommit(BinaryInput in) {
    return new Commit(
        in.takeList(PackedEvent.MIN_BYTES, in::takeEvent),
        in.takeEventIds(),
        in.takeEventIds(),
        readRows(in));
  }

  private static List<Row> readRows(BinaryInput in) {
    return in.takeList(
        ROW_BYTES, () -> new Row(in.takeText(), in.takeBytes(), in.takeOptionalBytes()));
  }
}
