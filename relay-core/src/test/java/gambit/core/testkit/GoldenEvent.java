package gambit.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Kind;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An event in the notation of {@link GoldenFile}: missing fields are filled in and signed, and
 * wrong fields are set after that.
 */
final class GoldenEvent {
  private static final Set<String> DIRECTIVES = Set.of("by", "age", "mine", "target");

  private final JsonNode fields;
  private final int kind;
  private final long now;
  private final List<List<String>> tags = new ArrayList<>();

  /** Reads the fields of an incomplete event. */
  GoldenEvent(JsonNode fields, int defaultKind, long now) {
    this.fields = fields;
    this.kind = fields.path("kind").asInt(defaultKind);
    this.now = now;
    for (JsonNode tag : fields.path("tags")) {
      List<String> row = new ArrayList<>();
      tag.forEach(value -> row.add(value.asText()));
      if (!row.isEmpty()) {
        tags.add(row);
      }
    }
  }

  /** Adds the tags of a login (NIP-42) unless tags are given. */
  void addLoginTags(String relay, Supplier<String> challenge) {
    if (!fields.has("tags")) {
      tags.add(List.of("relay", relay));
      tags.add(List.of("challenge", challenge.get()));
    }
  }

  /** Signs the event. */
  Event sign(String sender) {
    Signer signer = Keys.of(fields.path("by").asText(sender));
    if (fields.has("mine")) {
      mine(signer);
    }
    return signer.sign(createdAt(), kind, new Tags(tags), content());
  }

  private long createdAt() {
    return fields.path("created_at").asLong(now + fields.path("age").asLong(0));
  }

  private String content() {
    return fields.path("content").asText();
  }

  /** Adds a nonce that gives the id the required number of leading zero bits (NIP-13). */
  private void mine(Signer signer) {
    String target = fields.path("target").asText(fields.get("mine").asText());
    tags.add(List.of());
    String bits;
    int nonce = 0;
    do {
      String next = Integer.toString(nonce++);
      tags.set(
          tags.size() - 1,
          target.isEmpty() ? List.of("nonce", next) : List.of("nonce", next, target));
      var id = EventEncoder.idOf(signer.pubkey(), createdAt(), kind, new Tags(tags), content());
      bits = new java.math.BigInteger("1" + id.hex(), 16).toString(2).substring(1);
    } while (bits.indexOf('1') < fields.get("mine").asInt());
  }

  /** Sets or removes the fields that differ from the signed event on purpose. */
  void overrideFields(ObjectNode signed) {
    for (var field : fields.properties()) {
      String name = field.getKey();
      if (field.getValue().isNull()) {
        signed.remove(name);
      } else if (!DIRECTIVES.contains(name) && !(name.equals("tags") && fields.has("mine"))) {
        signed.set(name, field.getValue());
      }
    }
  }

  /** The default kind of an event that is sent with this verb. */
  static int kindFor(String verb) {
    return verb.equals("AUTH") ? Kind.CLIENT_AUTH : 1;
  }
}
