package gambit.core.replication;

import gambit.core.store.LogGroup;

/**
 * An entry of the shared log: a group of records, and what the other nodes do once they have
 * applied it. Its number is that of the group. Treated as immutable.
 *
 * @param epoch the number of takeovers up to the leader's
 * @param leader the number of the node that has appended the entry
 * @param millis when it was made, in milliseconds of Unix time, by the leader's clock
 * @param previousChecksum {@link LogGroup#checksum} of the group before; 0 if it is unknown
 * @param effects of type {@link Effect}, encoded; empty if no other node does anything
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares entries
record Entry(
    long epoch, long leader, long millis, int previousChecksum, LogGroup group, byte[] effects) {
  private static final int VERSION = 1;
  private static final int MAX_HEADER_BYTES = 100;
  private static final RecordCodec<Entry> CODEC = new RecordCodec<>(Entry.class);

  byte[] encode() {
    int bytes = Math.addExact(group.records().length, effects.length);
    return CODEC.encode(VERSION, this, Math.addExact(MAX_HEADER_BYTES, bytes));
  }

  /**
   * Reads an encoding.
   *
   * @throws RecordCodec.UnknownVersion when a newer program has written it
   * @throws IllegalArgumentException when it is anything else; records and effects are not checked
   */
  static Entry decode(byte[] encoded) {
    Entry entry = CODEC.decode("The entry of the shared log", VERSION, encoded);
    LogGroup group = entry.group();
    if (group.sequence() < 1 || group.offset() < 0 || group.count() < 0) {
      throw new IllegalArgumentException("a number below 0");
    }
    return entry;
  }
}
