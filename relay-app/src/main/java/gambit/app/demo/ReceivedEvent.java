package gambit.app.demo;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Turns what came in an EVENT frame into an event that is known to be what its author signed. */
final class ReceivedEvent {
  private ReceivedEvent() {}

  static Event verified(JsonNode json, EventVerifier verifier) throws DemoFailed {
    try {
      List<List<String>> tags = new ArrayList<>();
      for (JsonNode tag : json.path("tags")) {
        List<String> row = new ArrayList<>();
        tag.forEach(value -> row.add(value.asText()));
        if (row.isEmpty()) {
          throw new IllegalArgumentException("a tag must not be empty");
        }
        tags.add(row);
      }
      Event event =
          EventEncoder.encode(
              EventId.ofHex(json.path("id").asText()),
              PubKey.ofHex(json.path("pubkey").asText()),
              json.path("created_at").asLong(),
              json.path("kind").asInt(),
              new Tags(tags),
              json.path("content").asText(),
              HexFormat.of().parseHex(json.path("sig").asText()));
      if (!verifier.hasRightId(event) || !verifier.hasRightSignature(event)) {
        throw new DemoFailed("The relay sent an event whose signature is wrong: " + json);
      }
      return event;
    } catch (IllegalArgumentException e) {
      throw new DemoFailed("The relay sent something that is no event: " + json);
    }
  }
}
