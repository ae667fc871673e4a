package gambit.core.store.disk.index;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.store.EventStore;
import gambit.core.store.StoredEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Encodes and decodes the keys and values of the index, in the layouts of {@link Table}. All keys
 * are in one buffer, and all values in another; each is valid until the next call. One thread.
 */
public final class IndexKeys {
  private static final int OFFSET_BYTES = 6;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final Hashing hashing;
  private final ByteBuffer key = ByteBuffer.allocateDirect(400);
  private final ByteBuffer value = ByteBuffer.allocateDirect(32);

  public IndexKeys(Hashing hashing) {
    this.hashing = hashing;
  }

  public interface EntryVisitor {
    void entry(Table table, ByteBuffer key, ByteBuffer value);
  }

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  public void entries(StoredEvent stored, EntryVisitor visitor) {
    Event event = stored.event();
    long offset = stored.offset();
    long author = hashing.author(event.pubkey());
    kindValue(event.kind());
    visitor.entry(Table.ID, putOffset(startWith(hashing.id(event.id())), offset).flip(), NOTHING);
    visitor.entry(Table.TIME, sortKey(key.clear(), event, offset), value);
    visitor.entry(
        Table.KIND, sortKey(key.clear().putShort((short) event.kind()), event, offset), NOTHING);
    visitor.entry(Table.AUTHOR, sortKey(startWith(author), event, offset), value);
    visitor.entry(
        Table.AUTHOR_KIND,
        sortKey(startWith(author).putShort((short) event.kind()), event, offset),
        NOTHING);
    for (List<String> tag : event.tags().list()) {
      if (tag.size() > 1 && isIndexedTag(tag.get(0))) {
        long hash = hashing.text(tag.get(0).charAt(0), tag.get(1));
        visitor.entry(Table.TAG, sortKey(startWith(hash), event, offset), value);
      }
    }
    Optional<Address> address = Address.of(event);
    if (address.isPresent()) {
      visitor.entry(Table.ADDRESS, putOffset(startWith(address.get()), offset).flip(), NOTHING);
    }
    if (stored.expiresAt() < EventStore.TIMESTAMP_BOUND) {
      visitor.entry(Table.EXPIRY, expiryKey(stored.expiresAt(), offset), NOTHING);
    }
  }

  /** Whether filters can query tags with that name (NIP-01): one letter of either case. */
  private static boolean isIndexedTag(String name) {
    if (name.length() != 1) {
      return false;
    }
    char c = name.charAt(0);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private ByteBuffer startWith(long prefix) {
    return key.clear().putLong(prefix);
  }

  public ByteBuffer timeKey(StoredEvent stored) {
    return sortKey(key.clear(), stored.event(), stored.offset());
  }

  private ByteBuffer sortKey(ByteBuffer out, Event event, long offset) {
    return putSortKey(out, event.createdAt(), hashing.id(event.id()) >>> 16, offset).flip();
  }

  private static ByteBuffer putSortKey(ByteBuffer out, long createdAt, long id48, long offset) {
    long down = EventStore.TIMESTAMP_BOUND - 1 - createdAt;
    out.put((byte) (down >>> 32)).putInt((int) down);
    putOffset(out, id48);
    return putOffset(out, offset);
  }

  private static ByteBuffer putOffset(ByteBuffer out, long offset) {
    return out.putShort((short) (offset >>> 32)).putInt((int) offset);
  }

  private ByteBuffer startWith(Address address) {
    return startWith(hashing.author(address.pubkey()))
        .putShort((short) address.kind())
        .putLong(hashing.text('d', address.d()));
  }

  public ByteBuffer idPrefix(EventId id) {
    return startWith(hashing.id(id)).flip();
  }

  public ByteBuffer idKey(EventId id, long offset) {
    return putOffset(startWith(hashing.id(id)), offset).flip();
  }

  public ByteBuffer addressPrefix(Address address) {
    return startWith(address).flip();
  }

  public ByteBuffer expiryKey(long seconds, long offset) {
    return putOffset(putSeconds(key.clear(), seconds), offset).flip();
  }

  private static ByteBuffer putSeconds(ByteBuffer out, long seconds) {
    return out.put((byte) (seconds >>> 32)).putInt((int) seconds);
  }

  public ByteBuffer positionKey(long createdAt, EventId id) {
    return putSeconds(key.clear(), createdAt)
        .putLong(id.word(0))
        .putLong(id.word(1))
        .putLong(id.word(2))
        .putLong(id.word(3))
        .flip();
  }

  /** The time at the start of a key of {@link Table#EXPIRY} or {@link Table#POSITION}. */
  public static long seconds(ByteBuffer key) {
    int at = key.position();
    return (key.get(at) & 0xffL) << 32 | (key.getInt(at + 1) & 0xffffffffL);
  }

  public ByteBuffer rowKey(String table, byte[] rowKey) {
    return key.clear().put(EventStore.utf8(table)).put((byte) 0).put(rowKey).flip();
  }

  public ByteBuffer kindValue(int kind) {
    return value.clear().putShort((short) kind).flip();
  }

  ByteBuffer longsValue(long a) {
    return value.clear().putLong(a).flip();
  }

  ByteBuffer longsValue(long a, long b) {
    return value.clear().putLong(a).putLong(b).flip();
  }

  ByteBuffer longsValue(long a, long b, long c, long d) {
    return value.clear().putLong(a).putLong(b).putLong(c).putLong(d).flip();
  }

  ByteBuffer segmentKey(long base) {
    return startWith(base).flip();
  }

  /** The key of the given sort key under a prefix, for seeking the first entry at or after it. */
  public ByteBuffer seekKey(byte[] prefix, long createdAt, long id48, long offset) {
    return putSortKey(key.clear().put(prefix), createdAt, id48, offset).flip();
  }

  public byte[] authorPrefix(PubKey author) {
    return bytes(startWith(hashing.author(author)).flip());
  }

  public byte[] authorKindPrefix(PubKey author, int kind) {
    return bytes(startWith(hashing.author(author)).putShort((short) kind).flip());
  }

  public byte[] kindPrefix(int kind) {
    return bytes(key.clear().putShort((short) kind).flip());
  }

  public byte[] tagPrefix(char letter, String text) {
    return bytes(startWith(hashing.text(letter, text)).flip());
  }

  public ByteBuffer copyOf(byte[] whole) {
    return key.clear().put(whole).flip();
  }

  public static byte[] bytes(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.get(from.position(), bytes);
    return bytes;
  }

  /** Compares keys of one length as the index does: byte by byte, without signs. */
  public static int compare(ByteBuffer a, ByteBuffer b) {
    int at = a.mismatch(b);
    return at < 0 ? 0 : (a.get(a.position() + at) & 0xff) - (b.get(b.position() + at) & 0xff);
  }

  public static boolean startsWith(ByteBuffer key, byte[] prefix) {
    if (key.remaining() < prefix.length) {
      return false;
    }
    int from = 0;
    if (prefix.length >= Long.BYTES) {
      if (key.getLong(key.position()) != (long) LONGS.get(prefix, 0)) {
        return false;
      }
      from = Long.BYTES;
    }
    for (int i = from; i < prefix.length; i++) {
      if (key.get(key.position() + i) != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  public static boolean startsWith(ByteBuffer key, ByteBuffer prefix) {
    if (key.remaining() < prefix.remaining()) {
      return false;
    }
    int at = key.mismatch(prefix);
    return at < 0 || at == prefix.remaining();
  }

  /** The time of the sort key that follows a prefix of that length. */
  public static long createdAt(ByteBuffer key, int prefixBytes) {
    return EventStore.TIMESTAMP_BOUND - 1 - (key.getLong(key.position() + prefixBytes) >>> 24);
  }

  public static long id48(ByteBuffer key, int prefixBytes) {
    return sixBytes(key, key.position() + prefixBytes + 5);
  }

  public static long offset(ByteBuffer key, int prefixBytes) {
    return sixBytes(key, key.position() + prefixBytes + 11);
  }

  public static long lastOffset(ByteBuffer key) {
    return sixBytes(key, key.limit() - OFFSET_BYTES);
  }

  private static long sixBytes(ByteBuffer key, int at) {
    return key.getLong(at - Short.BYTES) & 0xffff_ffff_ffffL;
  }

  public static long longAt(ByteBuffer value, int at) {
    return value.getLong(value.position() + at);
  }

  public static int kind(ByteBuffer value) {
    return value.getShort(value.position()) & 0xffff;
  }
}
