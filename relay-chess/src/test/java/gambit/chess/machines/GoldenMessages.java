package gambit.chess.machines;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.testkit.Client;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.GoldenStep;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The messages of all golden files of chess, as they were sent and received. */
final class GoldenMessages {
  private static final String REFEREE = Keys.of("relay").pubkey().hex();

  /** The refusals of requests whose form is wrong. */
  private static final List<String> FORM =
      List.of(
          "invalid: not a time control",
          "invalid: rated is true or false",
          "invalid: the p tag is not a public key",
          "invalid: the color is not",
          "invalid: the fen is not",
          "invalid: the unlisted tag is not",
          "invalid: expiration must be",
          "invalid: an e tag has to name",
          "invalid: the e tag is not an id",
          "invalid: a token tag is needed",
          "invalid: missing");

  /** The errors of the ephemeral dialect about requests whose form is wrong. */
  private static final List<String> EPHEMERAL_FORM =
      List.of("not a move like", "error:not a time control", "error:rated is true or false");

  final List<JsonNode> received = new ArrayList<>();

  /** Sent messages whose form the relay accepted. */
  final List<JsonNode> wellFormed = new ArrayList<>();

  /** Sent messages that the relay refused because of their form. */
  final List<JsonNode> malformed = new ArrayList<>();

  GoldenMessages() {
    PlayedGoldenFiles.ofProtocol().forEach(file -> add(PlayedGoldenFiles.steps(file)));
  }

  private void add(List<GoldenFile.Played> file) {
    Map<String, JsonNode> sent = new LinkedHashMap<>();
    Map<String, String> textOfId = new LinkedHashMap<>();
    Set<String> refused = new TreeSet<>();
    for (GoldenFile.Played played : file) {
      if (played.frame() == null) {
        continue;
      }
      JsonNode message = Client.parse(played.frame());
      if (played.step() instanceof GoldenStep.Receive) {
        received.add(message);
        refusedForm(message, textOfId.keySet()).map(textOfId::get).ifPresent(refused::add);
      } else {
        sent.put(played.frame(), message);
        textOfId.put(message.path(1).path("id").asText(), played.frame());
      }
    }
    sent.forEach((text, message) -> (refused.contains(text) ? malformed : wellFormed).add(message));
  }

  /** The id of the sent event that a frame refuses because of its form. */
  private static Optional<String> refusedForm(JsonNode frame, Set<String> sent) {
    if (frame.path(0).asText().equals("OK")) {
      boolean form = FORM.stream().anyMatch(frame.path(3).asText()::startsWith);
      return form ? Optional.of(frame.path(1).asText()) : Optional.empty();
    }
    JsonNode event = frame.path(2);
    boolean form = EPHEMERAL_FORM.stream().anyMatch(event.path("content").asText()::startsWith);
    if (!form) {
      return Optional.empty();
    } else if (event.path("kind").asInt() == 20304) {
      return Optional.of(event.path("tags").get(0).get(1).asText());
    }
    return sent.stream().reduce((earlier, later) -> later); // a 20301 does not name the request
  }

  /** All events, sent in good form or received. */
  Set<JsonNode> events() {
    Set<JsonNode> events = new LinkedHashSet<>();
    for (JsonNode message : wellFormed) {
      if (message.path(1).has("kind")) {
        events.add(message.get(1));
      }
    }
    for (JsonNode message : received) {
      if (message.path(2).has("kind")) {
        events.add(message.get(2));
      }
    }
    return events;
  }

  /** Whether the relay has signed the event. */
  static boolean isOfReferee(JsonNode event) {
    return event.path("pubkey").asText().equals(REFEREE);
  }
}
