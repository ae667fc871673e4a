package gambit.core.store.disk;

import gambit.core.model.Event;
import gambit.core.model.PackedEvent;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The records of the log: what stands in a group. Each begins with four bytes: whether it ends with
 * a checksum (the uppermost bit), its kind (the next three) and the length of what follows.
 *
 * <pre>
 * EVENT    expires at 8 · packed event
 * REMOVAL  offset of the record that is taken away 8 · time of its erasure, or 0 8
 * ERASURE  time 8
 * ROW      length of the table's name 1 · length of the key 2 · name · key · value
 * </pre>
 *
 * The checksum is a CRC-32C of all bytes before it, mixed with the record's offset, so that no
 * record is taken for another one. Records in segments of version 1 have none.
 *
 * <p>A row that takes the place of another one comes behind a removal of that; so removals are all
 * it takes to know what is gone.
 */
final class Records {
  static final int EVENT = 1;
  static final int REMOVAL = 2;
  static final int ROW = 3;
  static final int ERASURE = 4;

  /** Bytes in front of every record. */
  static final int HEAD = 4;

  /** Bytes of a checksum. */
  static final int CHECKSUM = 4;

  private static final int HAS_CHECKSUM = 1 << 31;
  private static final int KIND = 7;
  private static final int LENGTH = 0x0fffffff;
  private static final int EXPIRY = 8;

  private Records() {}

  static void putEvent(ByteBuffer out, Event event, long expiresAt) {
    putHead(out, EVENT, EXPIRY + PackedEvent.size(event));
    out.putLong(expiresAt);
    PackedEvent.pack(event, out);
    out.putInt(0);
  }

  static int sizeOfEvent(Event event) {
    return countedSizeOfEvent(event) + CHECKSUM;
  }

  /** What an event counts for in the size of the store, in segments of every version. */
  static int countedSizeOfEvent(Event event) {
    return HEAD + EXPIRY + PackedEvent.size(event);
  }

  /** The head of a record whose checksum {@link #seal} will put in. */
  private static void putHead(ByteBuffer out, int kind, int length) {
    out.putInt(HAS_CHECKSUM | kind << 28 | (length + CHECKSUM));
  }

  static void putRemoval(ByteBuffer out, long target, long erasedAt) {
    putHead(out, REMOVAL, 16);
    out.putLong(target);
    out.putLong(erasedAt);
    out.putInt(0);
  }

  static int sizeOfRemoval() {
    return HEAD + 16 + CHECKSUM;
  }

  static void putErasure(ByteBuffer out, long time) {
    putHead(out, ERASURE, 8);
    out.putLong(time);
    out.putInt(0);
  }

  static int sizeOfErasure() {
    return HEAD + 8 + CHECKSUM;
  }

  static void putRow(ByteBuffer out, String table, byte[] key, byte[] value) {
    byte[] name = table.getBytes(StandardCharsets.UTF_8);
    putHead(out, ROW, 3 + name.length + key.length + value.length);
    out.put((byte) name.length);
    out.putShort((short) key.length);
    out.put(name);
    out.put(key);
    out.put(value);
    out.putInt(0);
  }

  static int sizeOfRow(String table, byte[] key, byte[] value) {
    int name = table.getBytes(StandardCharsets.UTF_8).length;
    return HEAD + 3 + name + key.length + value.length + CHECKSUM;
  }

  static int kind(ByteBuffer in, int at) {
    return in.getInt(at) >>> 28 & KIND;
  }

  static boolean hasChecksum(ByteBuffer in, int at) {
    return in.getInt(at) < 0;
  }

  /** Puts in the checksum of a whole record. */
  static void seal(ByteBuffer buffer, int at, long offset) {
    int end = end(buffer, at);
    buffer.putInt(end, checksum(buffer, at, end, offset));
  }

  /** Whether a record that is to have a checksum is what was written at that offset. */
  static boolean isIntact(ByteBuffer in, int at, long offset) {
    if (at < 0 || at > in.capacity() - HEAD - CHECKSUM || !hasChecksum(in, at)) {
      return false;
    }
    int end = end(in, at);
    return end >= at + HEAD
        && end <= in.capacity() - CHECKSUM
        && checksum(in, at, end, offset) == in.getInt(end);
  }

  private static int checksum(ByteBuffer in, int at, int end, long offset) {
    CRC32C crc = new CRC32C();
    crc.update(in.duplicate().limit(end).position(at));
    return (int) (crc.getValue() ^ offset ^ offset >>> 32);
  }

  /** The same record with a checksum, from a segment in which it has none. */
  static ByteBuffer sealedCopy(ByteBuffer in, int at, long offset) {
    int size = size(in, at);
    ByteBuffer copy = ByteBuffer.allocate(size + CHECKSUM);
    putHead(copy, kind(in, at), size - HEAD);
    copy.put(in.duplicate().limit(at + size).position(at + HEAD)).putInt(0).flip();
    seal(copy, 0, offset);
    return copy;
  }

  /** Whether what stands there has the kind and the least length of an event's record. */
  static boolean mayBeEvent(ByteBuffer in, int at) {
    return at >= 0
        && at <= in.capacity() - HEAD
        && kind(in, at) == EVENT
        && size(in, at) >= HEAD + EXPIRY + PackedEvent.MIN_SIZE
        && size(in, at) <= in.capacity() - at;
  }

  /** Whether the parts of a removal, an erasure or a row fit into the record. */
  static boolean isWellFormed(ByteBuffer in, int at) {
    int length = end(in, at) - at - HEAD;
    return switch (kind(in, at)) {
      case REMOVAL -> length == 16;
      case ERASURE -> length == 8;
      case ROW ->
          length >= 3
              && in.get(at + HEAD) >= 0
              && 3 + in.get(at + HEAD) + (in.getShort(at + HEAD + 1) & 0xffff) <= length;
      default -> false;
    };
  }

  /** Where what the record holds ends, and its checksum begins. */
  private static int end(ByteBuffer in, int at) {
    return at + size(in, at) - (hasChecksum(in, at) ? CHECKSUM : 0);
  }

  /** How many bytes the record takes, with its head. */
  static int size(ByteBuffer in, int at) {
    return HEAD + (in.getInt(at) & LENGTH);
  }

  /** Where in an event's record the packed event begins. */
  static int packedAt(int at) {
    return at + HEAD + EXPIRY;
  }

  static StoredEvent event(ByteBuffer in, int at, long offset) {
    Event event = PackedEvent.unpack(in, packedAt(at), end(in, at) - packedAt(at));
    return new StoredEvent(offset, event, in.getLong(at + HEAD));
  }

  static long target(ByteBuffer in, int at) {
    return in.getLong(at + HEAD);
  }

  static long erasedAt(ByteBuffer in, int at) {
    return in.getLong(at + HEAD + 8);
  }

  static long erasureTime(ByteBuffer in, int at) {
    return in.getLong(at + HEAD);
  }

  static String table(ByteBuffer in, int at) {
    return new String(bytes(in, at + HEAD + 3, in.get(at + HEAD)), StandardCharsets.UTF_8);
  }

  static byte[] key(ByteBuffer in, int at) {
    return bytes(in, at + HEAD + 3 + in.get(at + HEAD), in.getShort(at + HEAD + 1) & 0xffff);
  }

  static byte[] value(ByteBuffer in, int at) {
    int from = at + HEAD + 3 + in.get(at + HEAD) + (in.getShort(at + HEAD + 1) & 0xffff);
    return bytes(in, from, end(in, at) - from);
  }

  private static byte[] bytes(ByteBuffer in, int at, int length) {
    byte[] bytes = new byte[length];
    in.get(at, bytes);
    return bytes;
  }
}
