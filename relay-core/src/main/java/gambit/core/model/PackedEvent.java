package gambit.core.model;

import java.nio.ByteBuffer;

/**
 * The binary form of events on disk: hex digits become bytes, and the text that all events share is
 * left out. Unpacking restores the encoding byte for byte.
 *
 * <pre>
 * 0 id · 32 pubkey · 64 signature · 128 created_at · 136 kind · 138 length of the tags' JSON
 * 142 the tags' JSON · the content's JSON
 * </pre>
 */
public final class PackedEvent {
  private static final int PUBKEY_POSITION = 32;
  private static final int SIG_POSITION = 64;
  private static final int CREATED_AT_POSITION = 128;
  private static final int KIND_POSITION = 136;
  private static final int TAGS_LENGTH_POSITION = 138;
  private static final int TAGS_POSITION = 142;

  public static final int MIN_BYTES = TAGS_POSITION;

  private PackedEvent() {}

  public static int sizeInBytes(Event event) {
    return TAGS_POSITION
        + (event.tagsEnd() - event.tagsAt())
        + (event.contentEnd() - event.contentAt());
  }

  /** Writes the packed event at the buffer's position. */
  public static void pack(Event event, ByteBuffer out) {
    byte[] json = event.json();
    int tags = event.tagsEnd() - event.tagsAt();
    put(event.id(), out);
    put(event.pubkey(), out);
    out.put(event.sig());
    out.putLong(event.createdAt());
    out.putShort((short) event.kind());
    out.putInt(tags);
    out.put(json, event.tagsAt(), tags);
    out.put(json, event.contentAt(), event.contentEnd() - event.contentAt());
  }

  private static void put(Bytes32 bytes, ByteBuffer out) {
    out.putLong(bytes.word(0));
    out.putLong(bytes.word(1));
    out.putLong(bytes.word(2));
    out.putLong(bytes.word(3));
  }

  public static EventId id(ByteBuffer in, int at) {
    return new EventId(
        in.getLong(at), in.getLong(at + 8), in.getLong(at + 16), in.getLong(at + 24));
  }

  public static PubKey pubkey(ByteBuffer in, int at) {
    int from = at + PUBKEY_POSITION;
    return new PubKey(
        in.getLong(from), in.getLong(from + 8), in.getLong(from + 16), in.getLong(from + 24));
  }

  public static boolean isBy(PubKey author, ByteBuffer in, int at) {
    int from = at + PUBKEY_POSITION;
    return in.getLong(from) == author.word(0)
        && in.getLong(from + 8) == author.word(1)
        && in.getLong(from + 16) == author.word(2)
        && in.getLong(from + 24) == author.word(3);
  }

  public static long createdAt(ByteBuffer in, int at) {
    return in.getLong(at + CREATED_AT_POSITION);
  }

  public static int kind(ByteBuffer in, int at) {
    return in.getShort(at + KIND_POSITION) & 0xffff;
  }

  /**
   * Whether the {@code size} bytes at a position are a packed event, so that it can be unpacked and
   * its tags and content can be read. Its id, its signature and its UTF-8 are not checked.
   */
  public static boolean isWellFormed(ByteBuffer in, int at, int size) {
    if (size < MIN_BYTES || size > in.limit() - at || createdAt(in, at) < 0) {
      return false;
    }
    int tags = in.getInt(at + TAGS_LENGTH_POSITION);
    int tagsAt = at + TAGS_POSITION;
    int end = at + size;
    return tags >= 0
        && tags <= size - TAGS_POSITION
        && isArrayOfTags(in, tagsAt, tagsAt + tags)
        && stringEnd(in, tagsAt + tags, end) == end;
  }

  /** Whether there are canonical tags, each of which has a name. */
  private static boolean isArrayOfTags(ByteBuffer in, int from, int to) {
    if (to - from < 2 || in.get(from) != '[' || in.get(to - 1) != ']') {
      return false;
    }
    if (to - from == 2) {
      return true;
    }
    int end = to - 1;
    int at = from;
    do {
      at = tagEnd(in, at + 1, end);
    } while (at >= 0 && at < end && in.get(at) == ',');
    return at == end;
  }

  /** The position after a tag, or -1 if there is none. */
  private static int tagEnd(ByteBuffer in, int from, int end) {
    if (from >= end || in.get(from) != '[') {
      return -1;
    }
    int at = from;
    do {
      at = stringEnd(in, at + 1, end);
    } while (at >= 0 && at < end && in.get(at) == ',');
    return at >= 0 && at < end && in.get(at) == ']' ? at + 1 : -1;
  }

  /** The position after a canonical JSON string, or -1 if there is none. */
  private static int stringEnd(ByteBuffer in, int from, int end) {
    if (from >= end || in.get(from) != '"') {
      return -1;
    }
    int at = from + 1;
    while (at < end) {
      byte b = in.get(at);
      if (b == '"') {
        return at + 1;
      }
      int length = b == '\\' ? escapeLength(in, at, end) : 1;
      if (length == 0 || (b >= 0 && b < 0x20)) {
        return -1;
      }
      at += length;
    }
    return -1;
  }

  /** The length of an escape that {@link JsonStrings} writes; 0 if it is another. */
  private static int escapeLength(ByteBuffer in, int at, int end) {
    if (at + 1 >= end) {
      return 0;
    }
    byte name = in.get(at + 1);
    if (name != 'u') {
      return "btnfr\"\\".indexOf(name) >= 0 ? 2 : 0;
    }
    boolean isControl =
        at + 5 < end
            && in.get(at + 2) == '0'
            && in.get(at + 3) == '0'
            && (in.get(at + 4) == '0' || in.get(at + 4) == '1')
            && "0123456789abcdef".indexOf(in.get(at + 5)) >= 0;
    return isControl ? 6 : 0;
  }

  public static Event unpack(ByteBuffer in, int at, int size) {
    EventId id = id(in, at);
    PubKey pubkey = pubkey(in, at);
    int tags = in.getInt(at + TAGS_LENGTH_POSITION);
    int content = size - TAGS_POSITION - tags;
    byte[] sig = new byte[CREATED_AT_POSITION - SIG_POSITION];
    in.get(at + SIG_POSITION, sig);
    ByteBuilder out =
        EventEncoder.head(id, pubkey, createdAt(in, at), kind(in, at), tags + content);
    int tagsAt = out.size();
    out.add(in, at + TAGS_POSITION, tags);
    out.add(EventEncoder.BEFORE_CONTENT);
    int contentAt = out.size();
    out.add(in, at + TAGS_POSITION + tags, content);
    out.add(EventEncoder.BEFORE_SIG);
    out.addHex(sig);
    out.add(EventEncoder.END);
    return new Event(
        id, pubkey, createdAt(in, at), kind(in, at), null, out.finish(), tagsAt, contentAt);
  }
}
