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
  private static final byte[] NO_SIGNATURE = new byte[64];

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

  /** The id of an event with these fields. */
  public static EventId idOf(PubKey pubkey, long createdAt, int kind, Tags tags, String content) {
    EventId none = new EventId(new byte[32]);
    return idOf(encode(none, pubkey, createdAt, kind, tags, content, NO_SIGNATURE));
  }

  /** The valid id of the event: SHA-256 of NIP-01's canonical serialization. */
  public static EventId idOf(Event event) {
    ByteBuilder tags = new ByteBuilder(event.tagsEnd() - event.tagsAt());
    ByteBuilder content = new ByteBuilder(event.contentEnd() - event.contentAt());
    JsonStrings.appendDecoded(tags, event.json(), event.tagsAt(), event.tagsEnd(), false);
    JsonStrings.appendDecoded(content, event.json(), event.contentAt(), event.contentEnd(), false);
    return hash(event, tags.array(), 0, tags.size(), content.array(), 0, content.size());
  }

  /**
   * Whether the event's id is valid. Clients hash control characters without a named escape either
   * verbatim or as {@code \}{@code u00xx}; both are accepted.
   */
  public static boolean hasValidId(Event event) {
    byte[] json = event.json();
    EventId escaped =
        hash(
            event,
            json,
            event.tagsAt(),
            event.tagsEnd(),
            json,
            event.contentAt(),
            event.contentEnd());
    return escaped.equals(event.id())
        || (hasNumericEscape(event) && idOf(event).equals(event.id()));
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
    ByteBuilder out = new ByteBuilder(256);
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
}
