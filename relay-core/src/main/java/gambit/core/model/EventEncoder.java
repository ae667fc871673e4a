package gambit.core.model;

import java.security.MessageDigest;

/**
 * Builds events with their canonical encoding, and computes ids (NIP-01). Stateless.
 *
 * <p>The encoding has the fields in NIP-01's order without white space, so that one array serves
 * the store, every receiver and the id: the hashed serialization contains the same bytes for tags
 * and content.
 */
public final class EventEncoder {
  private static final EventId NO_ID = new EventId(new byte[32]);
  private static final byte[] NO_SIGNATURE = new byte[64];

  /** The position of the id's digits in the encoding. */
  private static final int ID_AT = "{\"id\":\"".length();

  private static final int BYTES_BEFORE_SIGNATURE = ",\"sig\":\"".length();

  private EventEncoder() {}

  /** Encodes an event whose id and signature are known. */
  public static Event encode(
      EventId id, PubKey pubkey, long createdAt, int kind, Tags tags, String content, byte[] sig) {
    return encode(
        id, pubkey, createdAt, kind, tags, encodeTags(tags), JsonStrings.encode(content), sig);
  }

  /** Encodes an event from parts that are canonical JSON. */
  public static Event encode(
      EventId id,
      PubKey pubkey,
      long createdAt,
      int kind,
      Tags tags,
      byte[] tagsJson,
      byte[] contentJson,
      byte[] sig) {
    ByteBuilder out = new ByteBuilder(tagsJson.length + contentJson.length + 400);
    out.addAscii("{\"id\":\"");
    out.addHex(id.bytes());
    out.addAscii("\",\"pubkey\":\"");
    out.addHex(pubkey.bytes());
    out.addAscii("\",\"created_at\":" + createdAt + ",\"kind\":" + kind + ",\"tags\":");
    int tagsAt = out.size();
    out.add(tagsJson, 0, tagsJson.length);
    out.addAscii(",\"content\":");
    int contentAt = out.size();
    out.add(contentJson, 0, contentJson.length);
    out.addAscii(",\"sig\":\"");
    out.addHex(sig);
    out.addAscii("\"}");
    return new Event(id, pubkey, createdAt, kind, tags, out.toArray(), tagsAt, contentAt);
  }

  /** An event with its valid id and without a signature: that is zeros. */
  public static Event unsigned(PubKey pubkey, long createdAt, int kind, Tags tags, String content) {
    Event none = encode(NO_ID, pubkey, createdAt, kind, tags, content, NO_SIGNATURE);
    EventId id = idOf(none);
    byte[] json = none.json();
    Hex.put(json, ID_AT, id.bytes());
    return new Event(id, pubkey, createdAt, kind, tags, json, none.tagsAt(), none.contentAt());
  }

  /** The event with its signature replaced. */
  public static Event withSignature(Event event, byte[] sig) {
    byte[] json = event.json().clone();
    Hex.put(json, event.contentEnd() + BYTES_BEFORE_SIGNATURE, sig);
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

  /** The id of an event with these fields. */
  public static EventId idOf(PubKey pubkey, long createdAt, int kind, Tags tags, String content) {
    return unsigned(pubkey, createdAt, kind, tags, content).id();
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

  private static EventId hash(
      Event event,
      byte[] tags,
      int tagsFrom,
      int tagsTo,
      byte[] content,
      int contentFrom,
      int contentTo) {
    ByteBuilder head = new ByteBuilder(128);
    head.addAscii("[0,\"");
    head.addHex(event.pubkey().bytes());
    head.addAscii("\"," + event.createdAt() + "," + event.kind() + ",");
    MessageDigest sha256 = Sha256.digest();
    sha256.update(head.array(), 0, head.size());
    sha256.update(tags, tagsFrom, tagsTo - tagsFrom);
    sha256.update((byte) ',');
    sha256.update(content, contentFrom, contentTo - contentFrom);
    sha256.update((byte) ']');
    return new EventId(sha256.digest());
  }

  private static byte[] encodeTags(Tags tags) {
    ByteBuilder out = new ByteBuilder(typicalBytes(tags));
    out.add('[');
    String between = "";
    for (var tag : tags.list()) {
      out.addAscii(between);
      String inner = "[";
      for (String value : tag) {
        out.addAscii(inner);
        JsonStrings.append(out, value);
        inner = ",";
      }
      out.add(']');
      between = ",";
    }
    out.add(']');
    return out.toArray();
  }

  /** The length of the encoding of tags whose characters need one byte each. */
  private static int typicalBytes(Tags tags) {
    int bytes = 2;
    for (var tag : tags.list()) {
      bytes += 2;
      for (String value : tag) {
        bytes += value.length() + 3;
      }
    }
    return bytes;
  }
}
