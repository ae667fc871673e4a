package gambit.core.replication.message;

import gambit.core.store.LogGroup;
import java.nio.ByteBuffer;

/**
 * An entry of the shared log: a group of records, and what the other nodes do once they have
 * applied it. Its number is that of the group. Treated as immutable.
 *
 * @param epoch the number of takeovers up to the leader's
 * @param leader the number of the node that has appended the entry
 * @param millis when it was made, in milliseconds of Unix time, by the leader's clock
 * @param previousChecksum {@link LogGroup#checksum} of the group before; 0 if it is unknown
 * @param effects read by {@code OutputDecoder}; empty if no other node does anything
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares entries
public record Entry(
    long epoch, long leader, long millis, int previousChecksum, LogGroup group, byte[] effects) {
  private static final int VERSION = 1;

  /** The size of an entry without records and effects in bytes. */
  public static final int HEADER_BYTES = 1 + 3 * Long.BYTES + 4 + 2 * Long.BYTES + 4 + 4;

  /** The encoding: a header of fixed length, the records, then the effects. */
  public byte[] encode() {
    byte[] records = group.records();
    int length = Math.addExact(HEADER_BYTES, Math.addExact(records.length, effects.length));
    return ByteBuffer.allocate(length)
        .put((byte) VERSION)
        .putLong(epoch)
        .putLong(leader)
        .putLong(millis)
        .putInt(previousChecksum)
        .putLong(group.sequence())
        .putLong(group.offset())
        .putInt(group.count())
        .putInt(records.length)
        .put(records)
        .put(effects)
        .array();
  }

  /**
   * Reads an encoding.
   *
   * @throws UnknownVersion when a newer program has written it
   * @throws IllegalArgumentException when it is anything else; records and effects are not checked
   */
  public static Entry decode(byte[] encoded) {
    BinaryInput in = new BinaryInput(encoded);
    UnknownVersion.requireKnown("The entry of the shared log", in, VERSION);
    long epoch = in.takeLong();
    long leader = in.takeLong();
    long millis = in.takeLong();
    int previousChecksum = in.takeInt();
    long sequence = in.takeLong();
    long offset = in.takeLong();
    int count = in.takeInt();
    byte[] records = in.takeBytes(in.takeInt());
    if (sequence < 1 || offset < 0 || count < 0) {
      throw new IllegalArgumentException("a number below 0");
    }
    return new Entry(
        epoch,
        leader,
        millis,
        previousChecksum,
        new LogGroup(sequence, offset, count, records),
        in.takeRest());
  }
}
