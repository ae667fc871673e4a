package gambit.core.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

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

  /** Minimum size of a packed event in bytes. */
  public static final int MIN_BYTES = TAGS_POSITION;

  private static final byte[] BEFORE_ID = ascii("{\"id\":\"");
  private static final byte[] BEFORE_PUBKEY = ascii("\",\"pubkey\":\"");
  private static final byte[] BEFORE_CREATED_AT = ascii("\",\"created_at\":");
  private static final byte[] BEFORE_KIND = ascii(",\"kind\":");
  private static final byte[] BEFORE_TAGS = ascii(",\"tags\":");
  private static final byte[] BEFORE_CONTENT = ascii(",\"content\":");
  private static final byte[] BEFORE_SIG = ascii(",\"sig\":\"");
  private static final byte[] END = ascii("\"}");

  /** Bytes of an encoding beyond {@code created_at}, kind, tags and content. */
  private static final int FIXED_JSON_BYTES =
      BEFORE_ID.length
          + 64
          + BEFORE_PUBKEY.length
          + 64
          + BEFORE_CREATED_AT.length
          + BEFORE_KIND.length
          + BEFORE_TAGS.length
          + BEFORE_CONTENT.length
          + BEFORE_SIG.length
          + 128
          + END.length;

  private static final byte[] HEX = ascii("0123456789abcdef");

  private PackedEvent() {}

  /** The size of the packed event in bytes. */
  public static int sizeInBytes(Event event) {
    return TAGS_POSITION
        + (event.tagsEnd() - event.tagsAt())
        + (event.contentEnd() - event.contentAt());
  }

  /** Writes the packed event at the buffer's position. */
  public static void pack(Event event, ByteBuffer out) {
    byte[] json = event.json();
    int tags = event.tagsEnd() - event.tagsAt();
    out.put(event.id().bytes());
    out.put(event.pubkey().bytes());
    out.put(event.sig());
    out.putLong(event.createdAt());
    out.putShort((short) event.kind());
    out.putInt(tags);
    out.put(json, event.tagsAt(), tags);
    out.put(json, event.contentAt(), event.contentEnd() - event.contentAt());
  }

  /** The id of the packed event at a position of the buffer. */
  public static EventId id(ByteBuffer in, int at) {
    return new EventId(
        in.getLong(at), in.getLong(at + 8), in.getLong(at + 16), in.getLong(at + 24));
  }

  /** The author of the packed event. */
  public static PubKey pubkey(ByteBuffer in, int at) {
    int from = at + PUBKEY_POSITION;
    return new PubKey(
        in.getLong(from), in.getLong(from + 8), in.getLong(from + 16), in.getLong(from + 24));
  }

  /** The {@code created_at} of the packed event. */
  public static long createdAt(ByteBuffer in, int at) {
    return in.getLong(at + CREATED_AT_POSITION);
  }

  /** The kind of the packed event. */
  public static int kind(ByteBuffer in, int at) {
    return in.getShort(at + KIND_POSITION) & 0xffff;
  }

  /** Unpacks the event of {@code size} bytes at a position of the buffer. */
  public static Event unpack(ByteBuffer in, int at, int size) {
    long createdAt = createdAt(in, at);
    int kind = kind(in, at);
    int tags = in.getInt(at + TAGS_LENGTH_POSITION);
    int content = size - TAGS_POSITION - tags;
    byte[] time = ascii(Long.toString(createdAt));
    byte[] number = ascii(Integer.toString(kind));
    byte[] sig = new byte[64];
    in.get(at + SIG_POSITION, sig);
    EventId id = id(in, at);
    PubKey pubkey = pubkey(in, at);
    byte[] json = new byte[FIXED_JSON_BYTES + time.length + number.length + tags + content];
    int to = put(json, 0, BEFORE_ID);
    to = putHex(json, to, id.bytes());
    to = put(json, to, BEFORE_PUBKEY);
    to = putHex(json, to, pubkey.bytes());
    to = put(json, to, BEFORE_CREATED_AT);
    to = put(json, to, time);
    to = put(json, to, BEFORE_KIND);
    to = put(json, to, number);
    int tagsAt = put(json, to, BEFORE_TAGS);
    in.get(at + TAGS_POSITION, json, tagsAt, tags);
    int contentAt = put(json, tagsAt + tags, BEFORE_CONTENT);
    in.get(at + TAGS_POSITION + tags, json, contentAt, content);
    to = put(json, contentAt + content, BEFORE_SIG);
    to = putHex(json, to, sig);
    put(json, to, END);
    return new Event(id, pubkey, createdAt, kind, null, json, tagsAt, contentAt);
  }

  private static int put(byte[] out, int at, byte[] bytes) {
    System.arraycopy(bytes, 0, out, at, bytes.length);
    return at + bytes.length;
  }

  private static int putHex(byte[] out, int at, byte[] bytes) {
    int to = at;
    for (byte b : bytes) {
      out[to++] = HEX[(b >> 4) & 15];
      out[to++] = HEX[b & 15];
    }
    return to;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
