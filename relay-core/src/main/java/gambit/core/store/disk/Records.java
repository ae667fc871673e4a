package gambit.core.store.disk;

import gambit.core.model.Event;
import gambit.core.model.PackedEvent;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The records of the log: what stands in a group. Each begins with four bytes that hold its kind
 * (the upper four bits) and the length of what follows.
 *
 * <pre>
 * EVENT    expires at 8 · packed event
 * REMOVAL  offset of the record that is taken away 8 · time of its erasure, or 0 8
 * ERASURE  time 8
 * ROW      length of the table's name 1 · length of the key 2 · name · key · value
 * </pre>
 *
 * A row that takes the place of another one comes behind a removal of that; so removals are all it
 * takes to know what is gone.
 */
final class Records {
  static final int EVENT = 1;
  static final int REMOVAL = 2;
  static final int ROW = 3;
  static final int ERASURE = 4;

  /** Bytes in front of every record. */
  static final int HEAD = 4;

  private static final int LENGTH = 0x0fffffff;
  private static final int EXPIRY = 8;

  private Records() {}

  static void putEvent(ByteBuffer out, Event event, long expiresAt) {
    out.putInt(EVENT << 28 | (EXPIRY + PackedEvent.size(event)));
    out.putLong(expiresAt);
    PackedEvent.pack(event, out);
  }

  static int sizeOfEvent(Event event) {
    return HEAD + EXPIRY + PackedEvent.size(event);
  }

  static void putRemoval(ByteBuffer out, long target, long erasedAt) {
    out.putInt(REMOVAL << 28 | 16);
    out.putLong(target);
    out.putLong(erasedAt);
  }

  static int sizeOfRemoval() {
    return HEAD + 16;
  }

  static void putErasure(ByteBuffer out, long time) {
    out.putInt(ERASURE << 28 | 8);
    out.putLong(time);
  }

  static int sizeOfErasure() {
    return HEAD + 8;
  }

  static void putRow(ByteBuffer out, String table, byte[] key, byte[] value) {
    byte[] name = table.getBytes(StandardCharsets.UTF_8);
    out.putInt(ROW << 28 | (3 + name.length + key.length + value.length));
    out.put((byte) name.length);
    out.putShort((short) key.length);
    out.put(name);
    out.put(key);
    out.put(value);
  }

  static int sizeOfRow(String table, byte[] key, byte[] value) {
    return HEAD + 3 + table.getBytes(StandardCharsets.UTF_8).length + key.length + value.length;
  }

  static int kind(ByteBuffer in, int at) {
    return in.getInt(at) >>> 28;
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
    Event event = PackedEvent.unpack(in, packedAt(at), size(in, at) - HEAD - EXPIRY);
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
    return bytes(in, from, at + size(in, at) - from);
  }

  private static byte[] bytes(ByteBuffer in, int at, int length) {
    byte[] bytes = new byte[length];
    in.get(at, bytes);
    return bytes;
  }
}
