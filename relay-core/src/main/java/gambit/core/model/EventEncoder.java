package gambit.core.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * Builds events with their canonical encoding, and computes ids (NIP-01). Stateless.
 *
 * <p>The encoding has the fields in NIP-01's order without white space, so that one array serves
 * the store, every receiver and the id: the hashed serialization contains the same bytes for the
 * author, the numbers, tags and content.
 */
public final class EventEncoder {
  private static final EventId NO_ID = new EventId(0, 0, 0, 0);
  private static final byte[] NO_SIGNATURE = new byte[64];

  static final byte[] BEFORE_ID = ascii("{\"id\":\"");
  static final byte[] BEFORE_PUBKEY = ascii("\",\"pubkey\":\"");
  static final byte[] BEFORE_CREATED_AT = ascii("\",\"created_at\":");
  static final byte[] BEFORE_KIND = ascii(",\"kind\":");
  static final byte[] BEFORE_TAGS = ascii(",\"tags\":");
  static final byte[] BEFORE_CONTENT = ascii(",\"content\":");
  static final byte[] BEFORE_SIG = ascii(",\"sig\":\"");
  static final byte[] END = ascii("\"}");

  public static final int SIG_DIGITS = 128;

  private static final int PUBKEY_POSITION =
      BEFORE_ID.length + Bytes32.DIGITS + BEFORE_PUBKEY.length;
  private static final int CREATED_AT_POSITION =
      PUBKEY_POSITION + Bytes32.DIGITS + BEFORE_CREATED_AT.length;

  /** Bytes of an encoding beyond {@code created_at}, kind, tags and content. */
  static final int FIXED_BYTES =
      CREATED_AT_POSITION
          + BEFORE_KIND.length
          + BEFORE_TAGS.length
          + BEFORE_CONTENT.length
          + BEFORE_SIG.length
          + SIG_DIGITS
          + END.length;

  private static final int TYPICAL_TAGS_BYTES = 256;
  private static final byte[] HASHED_HEAD = ascii("[0,\"");

  private EventEncoder() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Encodes an event whose id and signature are known. */
  public static Event encode(
      EventId id, PubKey pubkey, long createdAt, int kind, Tags tags, String content, byte[] sig) {
    ByteBuilder out = head(id, pubkey, createdAt, kind, 2 * content.length() + TYPICAL_TAGS_BYTES);
    int tagsAt = out.size();
    addTags(out, tags);
    out.add(BEFORE_CONTENT);
    int contentAt = out.size();
    JsonStrings.append(out, content);
    out.add(BEFORE_SIG);
    out.addHex(sig);
    out.add(END);
    return new Event(id, pubkey, createdAt, kind, tags, out.finish(), tagsAt, contentAt);
  }

  /** Encodes an event that was read, with a signature in hex. Tags are decoded on first use. */
  public static Event encode(
      EventId id,
      PubKey pubkey,
      long createdAt,
      int kind,
      CanonicalJson tags,
      CanonicalJson content,
      CanonicalJson sig) {
    ByteBuilder out = head(id, pubkey, createdAt, kind, tags.size() + content.size());
    int tagsAt = out.size();
    out.add(tags.array(), tags.from(), tags.to());
    out.add(BEFORE_CONTENT);
    int contentAt = out.size();
    out.add(content.array(), content.from(), content.to());
    out.add(BEFORE_SIG);
    out.add(sig.array(), sig.from() + 1, sig.to() - 1);
    out.add(END);
    return new Event(id, pubkey, createdAt, kind, null, out.finish(), tagsAt, contentAt);
  }

  /** The encoding before the tags, with room for the rest: of tags and content, for that much. */
  static ByteBuilder head(EventId id, PubKey pubkey, long createdAt, int kind, int tagsAndContent) {
    ByteBuilder out =
        new ByteBuilder(
            FIXED_BYTES
                + ByteBuilder.decimalLength(createdAt)
                + ByteBuilder.decimalLength(kind)
                + tagsAndContent);
    out.add(BEFORE_ID);
    out.addHex(id);
    out.add(BEFORE_PUBKEY);
    out.addHex(pubkey);
    out.add(BEFORE_CREATED_AT);
    out.addNumber(createdAt);
    out.add(BEFORE_KIND);
    out.addNumber(kind);
    out.add(BEFORE_TAGS);
    return out;
  }

  public static EventId idOf(PubKey pubkey, long createdAt, int kind, Tags tags, String content) {
    return unsigned(pubkey, createdAt, kind, tags, content).id();
  }

  /** An event with its valid id and without a signature: that is zeros. */
  public static Event unsigned(PubKey pubkey, long createdAt, int kind, Tags tags, String content) {
    Event draft = encode(NO_ID, pubkey, createdAt, kind, tags, content, NO_SIGNATURE);
    EventId id = idOf(draft);
    byte[] json = draft.json();
    id.putHex(json, BEFORE_ID.length);
    return new Event(id, pubkey, createdAt, kind, tags, json, draft.tagsAt(), draft.contentAt());
  }

  public static String withoutSignature(Event event) {
    byte[] json = event.json();
    int length = json.length - END.length - SIG_DIGITS - BEFORE_SIG.length;
    return new String(json, 0, length, StandardCharsets.UTF_8) + "}";
  }

  public static Event withSignature(Event event, byte[] sig) {
    byte[] json = event.json().clone();
    Hex.put(json, json.length - END.length - SIG_DIGITS, sig);
    return new Event(
        event.id(),
        event.pubkey(),
        event.createdAt(),
        event.kind(),
        event.tags(),
        json,
        event.tagsAt(),
        event.contentAt());
  }

  /** The valid id of the event: SHA-256 of NIP-01's canonical serialization. */
  public static EventId idOf(Event event) {
    return hasNumericEscape(event) ? decodedHash(event) : encodedHash(event);
  }

  /**
   * Whether the event's id is valid. Clients hash control characters without a named escape either
   * verbatim or as {@code \}{@code u00xx}; both are accepted.
   */
  public static boolean hasValidId(Event event) {
    return encodedHash(event).equals(event.id())
        || (hasNumericEscape(event) && decodedHash(event).equals(event.id()));
  }

  private static boolean hasNumericEscape(Event event) {
    byte[] json = event.json();
    for (int i = event.tagsAt(); i < event.contentEnd(); i++) {
      if (json[i] == '\\' && json[++i] == 'u') {
        return true;
      }
    }
    return false;
  }

  /** The hash with the encoding's escapes of control characters. */
  private static EventId encodedHash(Event event) {
    byte[] json = event.json();
    return hash(
        event, json, event.tagsAt(), event.tagsEnd(), json, event.contentAt(), event.contentEnd());
  }

  /** The hash with verbatim control characters where they have no named escape. */
  private static EventId decodedHash(Event event) {
    ByteBuilder tags = new ByteBuilder(event.tagsEnd() - event.tagsAt());
    ByteBuilder content = new ByteBuilder(event.contentEnd() - event.contentAt());
    JsonStrings.appendDecoded(tags, event.json(), event.tagsAt(), event.tagsEnd(), false);
    JsonStrings.appendDecoded(content, event.json(), event.contentAt(), event.contentEnd(), false);
    return hash(event, tags.array(), 0, tags.size(), content.array(), 0, content.size());
  }

  /** Each part of the encoding before the tags that is hashed has the comma that follows it. */
  private static EventId hash(
      Event event,
      byte[] tags,
      int tagsFrom,
      int tagsTo,
      byte[] content,
      int contentFrom,
      int contentTo) {
    byte[] json = event.json();
    int createdAtLength = ByteBuilder.decimalLength(event.createdAt());
    int kindAt = CREATED_AT_POSITION + createdAtLength + BEFORE_KIND.length;
    MessageDigest sha256 = Sha256.ofThread();
    sha256.update(HASHED_HEAD);
    sha256.update(json, PUBKEY_POSITION, Bytes32.DIGITS + 2); // with a quote
    sha256.update(json, CREATED_AT_POSITION, createdAtLength + 1);
    sha256.update(json, kindAt, ByteBuilder.decimalLength(event.kind()) + 1);
    sha256.update(tags, tagsFrom, tagsTo - tagsFrom);
    sha256.update((byte) ',');
    sha256.update(content, contentFrom, contentTo - contentFrom);
    sha256.update((byte) ']');
    return new EventId(sha256.digest());
  }

  private static void addTags(ByteBuilder out, Tags tags) {
    char before = '[';
    for (List<String> tag : tags.list()) {
      out.add(before);
      char beforeValue = '[';
      for (String value : tag) {
        out.add(beforeValue);
        JsonStrings.append(out, value);
        beforeValue = ',';
      }
      out.add(']');
      before = ',';
    }
    if (before == '[') {
      out.add(before);
    }
    out.add(']');
  }
}
