package gambit.core.negentropy;

import gambit.core.model.ByteBuilder;
import gambit.core.model.EventId;
import gambit.core.negentropy.IdSum.Fingerprint;
import java.util.List;

/**
 * Writes the ranges of one message. Skipped ranges next to each other become one, and those at the
 * end are left out. One thread.
 */
public final class MessageWriter {
  /** The most bytes of a range without ids, a skipped one before it included. */
  static final int MAX_RANGE_BYTES = 2 * (9 + 1 + 32 + 1) + 9 + Fingerprint.BYTES;

  private static final Fingerprint UNKNOWN = new Fingerprint(0, 0);

  private final ByteBuilder out = new ByteBuilder(256);
  private Position written = Position.START;
  private Position covered = Position.START;

  public MessageWriter() {
    out.add(RangeReader.VERSION);
  }

  public Position covered() {
    return covered;
  }

  /** Whether no range other than skipped ones has been added. */
  public boolean isEmpty() {
    return out.size() == 1;
  }

  /** The number of bytes written so far; a skipped range at the end is not counted. */
  public int size() {
    return out.size();
  }

  public void skip(Position upper) {
    covered = upper;
  }

  public void fingerprint(Position upper, Fingerprint fingerprint) {
    begin(upper, 1);
    fingerprint.writeTo(out);
  }

  /** Adds a fingerprint that no set has, so that the receiver answers with its part of the set. */
  public void unknown(Position upper) {
    fingerprint(upper, UNKNOWN);
  }

  public void ids(Position upper, List<EventId> ids) {
    begin(upper, 2);
    writeVarint(out, ids.size());
    ids.forEach(id -> out.add(id.bytes(), 0, 32));
  }

  public byte[] message() {
    return out.toArray();
  }

  private void begin(Position upper, int mode) {
    if (!written.equals(covered)) {
      bound(covered);
      out.add(0);
    }
    bound(upper);
    out.add(mode);
    covered = upper;
  }

  /** Writes an unsigned number as digits of seven bits, the most significant one first. */
  static void writeVarint(ByteBuilder out, long number) {
    int digits = Math.max(1, (70 - Long.numberOfLeadingZeros(number)) / 7);
    for (int digit = digits - 1; digit >= 0; digit--) {
      int bits = (int) (number >>> 7 * digit) & 0x7f;
      out.add(digit == 0 ? bits : bits | 0x80);
    }
  }

  private void bound(Position bound) {
    if (bound.equals(Position.INFINITY)) {
      out.add(0, 0);
    } else {
      writeVarint(out, 1 + bound.createdAt() - written.createdAt());
      byte[] id = bound.id().bytes();
      int length = id.length;
      while (length > 0 && id[length - 1] == 0) {
        length--;
      }
      out.add(length);
      out.add(id, 0, length);
    }
    written = bound;
  }
}
