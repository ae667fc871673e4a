package gambit.core.store.disk.log;

import gambit.core.model.Event;
import gambit.core.model.PackedEvent;
import gambit.core.store.EventStore;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Encodes and decodes the records of the log. Each begins with four bytes, its kind (four bits) and
 * the length of the rest, and ends with a checksum of four.
 *
 * <pre>
 * EVENT    expires at 8 · packed event
 * REMOVAL  offset of the removed record 8 · time of its erasure, or 0 8
 * ERASURE  time 8
 * ROW      length of the table's name 1 · length of the key 2 · name · key · value
 * </pre>
 *
 * The checksum is a CRC-32C of all preceding bytes, combined with the record's offset, so that no
 * record can be mistaken for another.
 *
 * <p>A row that replaces another one follows a removal of that row, so removals alone determine
 * which records are dead.
 */
public final class Records {
  public static final int EVENT = 1;
  public static final int REMOVAL = 2;
  public static final int ROW = 3;
  public static final int ERASURE = 4;

  public static final int HEAD_BYTES = 4;

  public static final int CHECKSUM_BYTES = 4;
  public static final int REMOVAL_BYTES = HEAD_BYTES + 16 + CHECKSUM_BYTES;
  public static final int ERASURE_BYTES = HEAD_BYTES + 8 + CHECKSUM_BYTES;

  private static final int LENGTH_MASK = 0x0fffffff;
  private static final int EXPIRY_BYTES = 8;

  private Records() {}

  public static void putEvent(ByteBuffer out, Event event, long expiresAt) {
    putHead(out, EVENT, EXPIRY_BYTES + PackedEvent.sizeInBytes(event));
    out.putLong(expiresAt);
    PackedEvent.pack(event, out);
    out.putInt(0);
  }

  public static int sizeOfEvent(Event event) {
    return HEAD_BYTES + EXPIRY_BYTES + PackedEvent.sizeInBytes(event) + CHECKSUM_BYTES;
  }

  /** Writes the head of a record whose checksum {@link #seal} writes later. */
  private static void putHead(ByteBuffer out, int kind, int length) {
    out.putInt(kind << 28 | (length + CHECKSUM_BYTES));
  }

  public static void putRemoval(ByteBuffer out, long target, long erasedAt) {
    putHead(out, REMOVAL, 16);
    out.putLong(target);
    out.putLong(erasedAt);
    out.putInt(0);
  }

  public static void putErasure(ByteBuffer out, long time) {
    putHead(out, ERASURE, 8);
    out.putLong(time);
    out.putInt(0);
  }

  public static void putRow(ByteBuffer out, String table, byte[] key, byte[] value) {
    byte[] name = EventStore.utf8(table);
    putHead(out, ROW, 3 + name.length + key.length + value.length);
    out.put((byte) name.length);
    out.putShort((short) key.length);
    out.put(name);
    out.put(key);
    out.put(value);
    out.putInt(0);
  }

  public static int sizeOfRow(String table, byte[] key, byte[] value) {
    int name = EventStore.utf8(table).length;
    return HEAD_BYTES + 3 + name + key.length + value.length + CHECKSUM_BYTES;
  }

  public static int kind(ByteBuffer in, int at) {
    return in.getInt(at) >>> 28;
  }

  /** Writes the checksum of a complete record to a buffer, which is then cleared. */
  static void seal(ByteBuffer buffer, int at, long offset) {
    int end = payloadEnd(buffer.clear(), at);
    int checksum = checksum(buffer, at, end, offset);
    buffer.clear().putInt(end, checksum);
  }

  /** Whether a record is intact and has that offset. */
  public static boolean isIntact(ByteBuffer in, int at, long offset) {
    if (at < 0 || at > in.capacity() - HEAD_BYTES - CHECKSUM_BYTES) {
      return false;
    }
    int end = payloadEnd(in, at);
    return end >= at + HEAD_BYTES
        && end <= in.capacity() - CHECKSUM_BYTES
        && checksum(in.duplicate(), at, end, offset) == in.getInt(end);
  }

  /** The checksum of a part of a buffer, whose position and limit are changed. */
  private static int checksum(ByteBuffer in, int at, int end, long offset) {
    CRC32C crc = new CRC32C();
    crc.update(in.limit(end).position(at));
    return (int) (crc.getValue() ^ offset ^ offset >>> 32);
  }

  /** Whether kind and length of the record at that position may be those of an event. */
  public static boolean mayBeEvent(ByteBuffer in, int at) {
    return at >= 0
        && at <= in.capacity() - HEAD_BYTES
        && kind(in, at) == EVENT
        && size(in, at) >= HEAD_BYTES + EXPIRY_BYTES + PackedEvent.MIN_BYTES
        && size(in, at) <= in.capacity() - at;
  }

  /** Whether the fields of a removal, an erasure or a row fit into the record. */
  public static boolean isWellFormed(ByteBuffer in, int at) {
    int length = payloadEnd(in, at) - at - HEAD_BYTES;
    return switch (kind(in, at)) {
      case REMOVAL -> length == 16;
      case ERASURE -> length == 8;
      case ROW ->
          length >= 3
              && in.get(at + HEAD_BYTES) >= 0
              && 3 + in.get(at + HEAD_BYTES) + (in.getShort(at + HEAD_BYTES + 1) & 0xffff)
                  <= length;
      default -> false;
    };
  }

  private static int payloadEnd(ByteBuffer in, int at) {
    return at + size(in, at) - CHECKSUM_BYTES;
  }

  public static int size(ByteBuffer in, int at) {
    return HEAD_BYTES + (in.getInt(at) & LENGTH_MASK);
  }

  public static int packedEventAt(int at) {
    return at + HEAD_BYTES + EXPIRY_BYTES;
  }

  /** The expiration in an event's record, in seconds of Unix time. */
  public static long expiresAt(ByteBuffer in, int at) {
    return in.getLong(at + HEAD_BYTES);
  }

  public static StoredEvent event(ByteBuffer in, int at, long offset) {
    Event event = PackedEvent.unpack(in, packedEventAt(at), payloadEnd(in, at) - packedEventAt(at));
    return new StoredEvent(offset, event, expiresAt(in, at));
  }

  public static long target(ByteBuffer in, int at) {
    return in.getLong(at + HEAD_BYTES);
  }

  public static long erasedAt(ByteBuffer in, int at) {
    return in.getLong(at + HEAD_BYTES + 8);
  }

  public static long erasureTime(ByteBuffer in, int at) {
    return in.getLong(at + HEAD_BYTES);
  }

  public static String table(ByteBuffer in, int at) {
    return new String(
        bytes(in, at + HEAD_BYTES + 3, in.get(at + HEAD_BYTES)), StandardCharsets.UTF_8);
  }

  public static byte[] key(ByteBuffer in, int at) {
    return bytes(
        in,
        at + HEAD_BYTES + 3 + in.get(at + HEAD_BYTES),
        in.getShort(at + HEAD_BYTES + 1) & 0xffff);
  }

  public static byte[] value(ByteBuffer in, int at) {
    int from =
        at + HEAD_BYTES + 3 + in.get(at + HEAD_BYTES) + (in.getShort(at + HEAD_BYTES + 1) & 0xffff);
    return bytes(in, from, payloadEnd(in, at) - from);
  }

  private static byte[] bytes(ByteBuffer in, int at, int length) {
    byte[] bytes = new byte[length];
    in.get(at, bytes);
    return bytes;
  }
}
