package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.JsonStrings;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads one event object (NIP-01) in one strict pass: fields in any order, each exactly once;
 * unknown fields are checked as JSON and dropped. Used by one thread for one event.
 */
final class EventReader {
  private final JsonScanner in;
  private final int maxTags;
  private final IntPredicate tagsMayBeMissing;

  private byte @Nullable [] id;
  private byte @Nullable [] pubkey;
  private byte @Nullable [] sig;
  private long createdAt = -1;
  private long kind = -1;
  private byte @Nullable [] tagsJson;
  private Tags tags = Tags.NONE;
  private byte @Nullable [] contentJson;

  /**
   * Creates a reader.
   *
   * @param tagsMayBeMissing accepts the kinds for which missing {@code tags} are read as an empty
   *     list
   */
  EventReader(JsonScanner in, int maxTags, IntPredicate tagsMayBeMissing) {
    this.in = in;
    this.maxTags = maxTags;
    this.tagsMayBeMissing = tagsMayBeMissing;
  }

  /** The id, if it was read before the first error and is well-formed; else null. */
  @Nullable String id() {
    return id == null ? null : HexFormat.of().formatHex(id);
  }

  /** Reads the event; null if the scanner has failed. */
  @Nullable Event read() {
    if (in.peek() != '{') {
      in.fail("an event must be an object");
      return null;
    }
    in.expect('{');
    Set<String> seen = new HashSet<>();
    if (!in.take('}')) {
      do {
        String key = in.takeText();
        in.expect(':');
        if (!in.failed() && !seen.add(key)) {
          in.fail("duplicate key " + (key.length() > 20 ? "" : key));
        }
        takeField(key);
      } while (in.take(','));
      in.expect('}');
    }
    return in.failed() ? null : assemble();
  }

  private void takeField(String key) {
    if (in.failed()) {
      return;
    }
    switch (key) {
      case "id" -> id = takeHex(key, 64);
      case "pubkey" -> pubkey = takeHex(key, 64);
      case "sig" -> sig = takeHex(key, 128);
      case "created_at" -> createdAt = in.takeNaturalNumber(key);
      case "kind" -> kind = in.takeNaturalNumber(key);
      case "content" -> contentJson = takeContent();
      case "tags" -> takeTags();
      default -> in.skipValue(3);
    }
  }

  private @Nullable Event assemble() {
    if (kind >= 0 && tagsJson == null && tagsMayBeMissing.test((int) kind)) {
      tagsJson = new byte[] {'[', ']'};
    }
    if (id == null) {
      in.fail("missing id");
    } else if (pubkey == null) {
      in.fail("missing pubkey");
    } else if (createdAt < 0) {
      in.fail("missing created_at");
    } else if (kind < 0) {
      in.fail("missing kind");
    } else if (kind > Kind.MAX) {
      in.fail("kind must be at most " + Kind.MAX);
    } else if (tagsJson == null) {
      in.fail("missing tags");
    } else if (contentJson == null) {
      in.fail("missing content");
    } else if (sig == null) {
      in.fail("missing sig");
    } else {
      return EventEncoder.encode(
          new EventId(id),
          new PubKey(pubkey),
          createdAt,
          (int) kind,
          tags,
          tagsJson,
          contentJson,
          sig);
    }
    return null;
  }

  private byte @Nullable [] takeHex(String field, int digits) {
    byte[] plain = in.takeHex(digits);
    if (plain != null) {
      return plain;
    }
    if (in.peek() != '"') {
      in.fail(field + " must be a string");
      return null;
    }
    String hex = in.takeText(); // perhaps with escapes
    if (!Hex.isLowerCase(hex, digits)) {
      in.fail(field + " must be " + digits + " lower-case hex digits");
      return null;
    }
    return HexFormat.of().parseHex(hex);
  }

  private byte[] takeContent() {
    if (in.peek() != '"') {
      in.fail("content must be a string");
    }
    ByteBuilder content = new ByteBuilder(512);
    in.takeString(content);
    return content.toArray();
  }

  private void takeTags() {
    if (in.peek() != '[') {
      in.fail("tags must be an array");
      return;
    }
    ByteBuilder out = new ByteBuilder(512);
    List<List<String>> read = new ArrayList<>();
    in.expect('[');
    out.add('[');
    if (!in.take(']')) {
      do {
        if (read.size() == maxTags) {
          in.fail("more than " + maxTags + " tags");
          return;
        }
        if (!read.isEmpty()) {
          out.add(',');
        }
        read.add(takeTag(out));
      } while (in.take(','));
      in.expect(']');
    }
    out.add(']');
    if (!in.failed()) {
      tags = new Tags(read);
      tagsJson = out.toArray();
    }
  }

  private List<String> takeTag(ByteBuilder out) {
    if (in.peek() != '[') {
      in.fail("a tag must be an array of strings");
      return List.of();
    }
    in.expect('[');
    out.add('[');
    List<String> values = new ArrayList<>(3);
    do {
      if (in.peek() != '"') {
        in.fail(
            in.peek() == ']' && values.isEmpty()
                ? "a tag must not be empty"
                : "a tag must be an array of strings");
        return List.of();
      }
      if (!values.isEmpty()) {
        out.add(',');
      }
      int from = out.size();
      in.takeString(out);
      if (in.failed()) {
        return List.of();
      }
      values.add(JsonStrings.decode(out.array(), from, out.size()));
    } while (in.take(','));
    in.expect(']');
    out.add(']');
    return List.copyOf(values);
  }
}
