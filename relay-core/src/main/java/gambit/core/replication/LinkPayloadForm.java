package gambit.core.replication;

import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.replication.LinkPayload.Closed;
import gambit.core.replication.LinkPayload.CommitRequest;
import gambit.core.replication.LinkPayload.FencePassed;
import gambit.core.replication.LinkPayload.Hello;
import gambit.core.replication.LinkPayload.Login;
import gambit.core.replication.LinkPayload.Open;
import gambit.core.replication.LinkPayload.Report;
import gambit.core.replication.LinkPayload.Submit;
import gambit.core.replication.LinkPayload.SubscriptionChecked;
import gambit.core.replication.LinkPayload.SubscriptionClosed;
import gambit.core.replication.LinkPayload.SubscriptionOpened;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The binary form of what a follower sends over its link: a type, then the rest. Stateless. */
@SuppressWarnings("EnumOrdinal") // constants are only added at the end, with a new version
final class LinkPayloadForm {
  /** The least bytes of a row: three lengths or flags. */
  private static final int ROW_BYTES = 3;

  /** The types; the place of each is its code and never changes. */
  private enum Type {
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

  private static final Type[] TYPES = Type.values();

  private LinkPayloadForm() {}

  static void write(LinkPayload payload, BinaryOutput out) {
    if (payload instanceof Submit submit) {
      begin(Type.SUBMIT, out);
      out.putNumber(submit.number());
      out.putNumber(submit.connection());
      out.putNumber(submit.ageMillis());
      out.putFlag(submit.awaited());
      out.putFlag(submit.imported());
      out.putEvent(submit.event());
    } else if (payload instanceof Hello hello) {
      begin(Type.HELLO, out);
      out.putFlag(hello.needsStates());
    } else if (payload instanceof Open open) {
      begin(Type.OPEN, out);
      writeOpen(open, out);
    } else if (payload instanceof Login login) {
      begin(Type.LOGIN, out);
      out.putNumber(login.connection());
      out.putIds(login.keys());
    } else if (payload instanceof Closed closed) {
      begin(Type.CLOSED, out);
      out.putNumber(closed.connection());
    } else if (payload instanceof CommitRequest request) {
      begin(Type.COMMIT_REQUEST, out);
      out.putNumber(request.number());
      writeCommit(request.commit(), out);
    } else if (payload instanceof SubscriptionOpened opened) {
      begin(Type.SUBSCRIPTION_OPENED, out);
      out.putNumber(opened.connection());
      FilterForm.write(opened.filters(), out);
    } else if (payload instanceof SubscriptionChecked checked) {
      begin(Type.SUBSCRIPTION_CHECKED, out);
      out.putNumber(checked.connection());
      FilterForm.write(checked.filters(), out);
    } else if (payload instanceof SubscriptionClosed closed) {
      begin(Type.SUBSCRIPTION_CLOSED, out);
      out.putNumber(closed.connection());
      FilterForm.write(closed.filters(), out);
    } else if (payload instanceof Report report) {
      begin(Type.REPORT, out);
      out.putNumber(report.number());
      out.putFlag(report.isSent());
    } else if (payload instanceof FencePassed fence) {
      begin(Type.FENCE_PASSED, out);
      out.putNumber(fence.number());
    } else {
      throw new IllegalArgumentException("unknown payload: " + payload);
    }
  }

  private static void begin(Type type, BinaryOutput out) {
    out.putByte(type.ordinal());
  }

  static LinkPayload read(BinaryInput in) {
    return switch (in.takeOneOf(TYPES)) {
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
