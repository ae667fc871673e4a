package gambit.core.wire;

import gambit.core.model.CanonicalJson;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one event object (NIP-01) in one strict pass: fields in any order, each exactly once;
 * unknown fields are checked as JSON and dropped. Used by one thread for one event.
 */
final class EventReader {
  private static final List<String> FIELDS =
      List.of("id", "pubkey", "created_at", "kind", "tags", "content", "sig");

  /** The nesting depth of the values of an event's fields. */
  private static final int EVENT_FIELD_DEPTH = 3;

  /** Longer ids of invalid events are ignored. */
  private static final int MAX_INVALID_ID_LENGTH = 128;

  private static final Pattern ID_FIELD =
      Pattern.compile("\"id\"\\s*:\\s*\"([ -!#-\\[\\]-~]{1," + MAX_INVALID_ID_LENGTH + "})\"");

  private static final byte[] NO_TAGS = {'[', ']'};

  private final JsonScanner in;
  private final int maxTags;
  private final IntPredicate tagsMayBeMissing;

  private int seenFields; // a bit for each of FIELDS
  private @Nullable Set<String> unknownFields;
  private @Nullable EventId id;
  private @Nullable PubKey pubkey;
  private @Nullable CanonicalJson sig;
  private long createdAt = -1;
  private long kind = -1;
  private @Nullable CanonicalJson tags;
  private @Nullable CanonicalJson content;

  /** Missing tags of the kinds that {@code tagsMayBeMissing} accepts are read as none. */
  EventReader(JsonScanner in, int maxTags, IntPredicate tagsMayBeMissing) {
    this.in = in;
    this.maxTags = maxTags;
    this.tagsMayBeMissing = tagsMayBeMissing;
  }

  /**
   * The id of an invalid event: the one that was read before the first error; else, if the frame is
   * JSON up to it, any text in the field; else the first text that looks like the field. Null if
   * there is none.
   */
  @Nullable String idOfInvalid(byte[] frame, int length) {
    if (id != null) {
      return id.hex();
    }
    JsonScanner again = new JsonScanner(frame, length);
    again.expect('[');
    again.takeText();
    again.expect(',');
    again.expect('{');
    while (!again.failed()) {
      String name = again.takeText();
      again.expect(':');
      if (name.equals("id")) {
        String text = again.peek() == '"' ? again.takeText() : "";
        if (!again.failed()) {
          return text.isEmpty() || text.length() > MAX_INVALID_ID_LENGTH ? null : text;
        }
      }
      again.skipValue(EVENT_FIELD_DEPTH);
      if (!again.failed() && !again.take(',')) {
        return null;
      }
    }
    Matcher field = ID_FIELD.matcher(new String(frame, 0, length, StandardCharsets.UTF_8));
    return field.find() ? field.group(1) : null;
  }

  /** Reads the event; null if the scanner has failed. */
  @Nullable Event read() {
    if (in.peek() != '{') {
      in.fail("an event must be an object");
      return null;
    }
    in.expect('{');
    if (!in.take('}')) {
      do {
        String name = in.takeText();
        in.expect(':');
        if (!in.failed() && !isFirst(name)) {
          in.fail("duplicate key " + (name.length() > 20 ? "" : name));
        }
        takeField(name);
      } while (in.take(','));
      in.expect('}');
    }
    return in.failed() ? null : assemble();
  }

  private boolean isFirst(String name) {
    int known = FIELDS.indexOf(name);
    if (known >= 0) {
      int before = seenFields;
      seenFields |= 1 << known;
      return seenFields != before;
    }
    if (unknownFields == null) {
      unknownFields = new HashSet<>();
    }
    return unknownFields.add(name);
  }

  private void takeField(String name) {
    if (in.failed()) {
      return;
    }
    switch (name) {
      case "id" -> {
        CanonicalJson hex = takeHex(name, EventId.DIGITS);
        id = hex == null ? null : new EventId(hex.array(), hex.from() + 1);
      }
      case "pubkey" -> {
        CanonicalJson hex = takeHex(name, PubKey.DIGITS);
        pubkey = hex == null ? null : new PubKey(hex.array(), hex.from() + 1);
      }
      case "sig" -> sig = takeHex(name, EventEncoder.SIG_DIGITS);
      case "created_at" -> createdAt = in.takeNaturalNumber(name, JsonScanner.LONG_DIGITS);
      case "kind" -> kind = in.takeNaturalNumber(name, JsonScanner.LONG_DIGITS);
      case "content" -> takeContent();
      case "tags" -> takeTags();
      default -> in.skipValue(EVENT_FIELD_DEPTH);
    }
  }

  private @Nullable Event assemble() {
    if (kind >= 0 && tags == null && tagsMayBeMissing.test((int) kind)) {
      tags = new CanonicalJson(NO_TAGS, 0);
      tags.add(0, NO_TAGS.length);
      seenFields |= 1 << FIELDS.indexOf("tags");
    }
    if (id == null
        || pubkey == null
        || createdAt < 0
        || kind < 0
        || tags == null
        || content == null
        || sig == null) {
      int firstMissing = Integer.numberOfTrailingZeros(~seenFields);
      in.fail("missing " + FIELDS.get(firstMissing));
      return null;
    } else if (kind > Kind.MAX) {
      in.fail("kind must be at most " + Kind.MAX);
      return null;
    }
    return EventEncoder.encode(id, pubkey, createdAt, (int) kind, tags, content, sig);
  }

  /** Reads a string of that number of lower-case hex digits, a multiple of eight. */
  private @Nullable CanonicalJson takeHex(String field, int digits) {
    if (in.peek() != '"') {
      in.fail(field + " must be a string");
      return null;
    }
    CanonicalJson hex = in.takeString();
    if (!in.failed()
        && !(hex.size() == digits + 2 && Hex.isLowerCase(hex.array(), hex.from() + 1, digits))) {
      in.fail(field + " must be " + digits + " lower-case hex digits");
    }
    return in.failed() ? null : hex;
  }

  private void takeContent() {
    if (in.peek() != '"') {
      in.fail("content must be a string");
    }
    content = in.takeString();
  }

  private void takeTags() {
    if (in.peek() != '[') {
      in.fail("tags must be an array");
      return;
    }
    CanonicalJson out = in.begin();
    in.expect('[', out);
    if (!in.take(']', out)) {
      int count = 0;
      do {
        if (count == maxTags) {
          in.fail("more than " + maxTags + " tags");
          return;
        }
        count++;
        takeTag(out);
      } while (in.take(',', out));
      in.expect(']', out);
    }
    tags = out;
  }

  private void takeTag(CanonicalJson out) {
    if (in.peek() != '[') {
      in.fail("a tag must be an array of strings");
      return;
    }
    in.expect('[', out);
    boolean isFirst = true;
    do {
      if (in.peek() != '"') {
        in.fail(
            in.peek() == ']' && isFirst
                ? "a tag must not be empty"
                : "a tag must be an array of strings");
        return;
      }
      in.takeString(out);
      isFirst = false;
    } while (in.take(',', out));
    in.expect(']', out);
  }
}
