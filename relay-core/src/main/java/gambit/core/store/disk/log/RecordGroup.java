package gambit.core.store.disk.log;

import gambit.core.store.LogGroup;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Builds the group of one commit: a head and its records. The writer's thread only.
 *
 * <pre>
 * 0 magic 4 · length of the records 4 · 8 sequence number 8 · 16 number of records 4
 * 20 number of groups before it that were synced together with it 4 · 24 zero 4 · 28 CRC-32C 4
 * 32 records, then zeros up to a multiple of 8
 * </pre>
 *
 * The checksum starts with the segment's secret salt, so that no event can imitate a group.
 */
public final class RecordGroup {
  public static final int HEAD_BYTES = 32;

  private static final int MAGIC = 0x47525031;
  private static final int CRC_POSITION = 28;

  private static final int INITIAL_BUFFER_BYTES = 64 << 10;
  private static final int MAX_KEPT_BUFFER_BYTES = 16 << 20;

  private ByteBuffer buffer = ByteBuffer.allocateDirect(INITIAL_BUFFER_BYTES);
  private ByteBuffer finished = buffer.duplicate(); // the buffer while the group is completed
  private int recordCount;
  private boolean isSealed;

  public void clear() {
    if (buffer.capacity() > MAX_KEPT_BUFFER_BYTES) {
      setBuffer(ByteBuffer.allocateDirect(INITIAL_BUFFER_BYTES));
    }
    buffer.clear().position(HEAD_BYTES);
    recordCount = 0;
    isSealed = false;
  }

  /** Replaces the records by those of a group of another store, which have their checksums. */
  RecordGroup set(LogGroup other) {
    clear();
    makeRoomFor(other.records().length);
    buffer.put(other.records());
    recordCount = other.count();
    isSealed = true;
    return this;
  }

  public boolean isEmpty() {
    return recordCount == 0;
  }

  /** Reserves room for one more record and returns the buffer, positioned for writing it. */
  public ByteBuffer reserveRecord(int size) {
    if (isSealed) {
      throw new IllegalStateException("the group is complete");
    }
    makeRoomFor(size);
    recordCount++;
    return buffer;
  }

  private void makeRoomFor(int size) {
    int needed = Math.addExact(buffer.position(), size) + 8;
    if (needed > buffer.capacity()) {
      int capacity = Math.max(needed, (int) Math.min(2L * buffer.capacity(), 1 << 30));
      setBuffer(ByteBuffer.allocateDirect(capacity).put(buffer.flip()));
    }
  }

  private void setBuffer(ByteBuffer other) {
    buffer = other;
    finished = other.duplicate();
  }

  /** The position of the next record, counted from the start of the group. */
  public int position() {
    return buffer.position();
  }

  public ByteBuffer view() {
    return buffer;
  }

  public int size() {
    return (buffer.position() + 7) & -8;
  }

  /** Writes the checksums of the records, after which none can be added, and copies them. */
  public LogGroup sealedCopy(long sequence, long offset) {
    seal(offset);
    byte[] records = new byte[buffer.position() - HEAD_BYTES];
    buffer.get(HEAD_BYTES, records);
    return new LogGroup(sequence, offset, recordCount, records);
  }

  private void seal(long offset) {
    if (!isSealed) {
      int end = buffer.position();
      for (int at = HEAD_BYTES; at < end; at += Records.size(buffer, at)) {
        Records.seal(finished, at, offset + at);
      }
      isSealed = true;
    }
  }

  /**
   * Completes the group with checksums, after that many others that are synced together with it;
   * returns its bytes, valid until the next call.
   */
  public ByteBuffer finish(long sequence, long salt, long offset, int before) {
    seal(offset);
    int end = buffer.position();
    buffer.putLong(end, 0); // reserved by makeRoomFor
    buffer.putInt(0, MAGIC);
    buffer.putInt(4, end - HEAD_BYTES);
    buffer.putLong(8, sequence);
    buffer.putInt(16, recordCount);
    buffer.putInt(20, before);
    buffer.putInt(24, 0);
    buffer.putInt(CRC_POSITION, crc(finished, 0, end, salt));
    return finished.clear().limit(size());
  }

  /** Whether a complete, intact group is at that position and ends before the limit. */
  public static boolean isGroup(ByteBuffer in, int at, int limit, long salt) {
    if (limit - at < HEAD_BYTES || in.getInt(at) != MAGIC) {
      return false;
    }
    int length = in.getInt(at + 4);
    if (length < 0 || length > limit - at - HEAD_BYTES) {
      return false;
    }
    return crc(in.duplicate(), at, at + HEAD_BYTES + length, salt) == in.getInt(at + CRC_POSITION);
  }

  public static int size(ByteBuffer in, int at) {
    return (HEAD_BYTES + in.getInt(at + 4) + 7) & -8;
  }

  public static long sequence(ByteBuffer in, int at) {
    return in.getLong(at + 8);
  }

  public static int recordCount(ByteBuffer in, int at) {
    return in.getInt(at + 16);
  }

  /** Whether an earlier group with that number was synced together with the one at the position. */
  public static boolean isSyncedWith(long earlier, ByteBuffer in, int at) {
    long sequence = sequence(in, at);
    return earlier < sequence && earlier >= sequence - in.getInt(at + 20);
  }

  /** A copy of the group at that position, which has that offset. */
  public static LogGroup copy(ByteBuffer in, int at, long offset) {
    byte[] records = new byte[in.getInt(at + 4)];
    in.get(at + HEAD_BYTES, records);
    return new LogGroup(sequence(in, at), offset, recordCount(in, at), records);
  }

  /** The checksum of a group in a buffer, whose position and limit are changed. */
  private static int crc(ByteBuffer in, int from, int to, long salt) {
    CRC32C crc = new CRC32C();
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      crc.update((int) (salt >>> shift) & 0xff);
    }
    crc.update(in.limit(from + CRC_POSITION).position(from));
    crc.update(in.limit(to).position(from + HEAD_BYTES));
    return (int) crc.getValue();
  }
}
