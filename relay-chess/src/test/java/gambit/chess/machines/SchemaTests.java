package gambit.chess.machines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.testkit.Client;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.GoldenStep;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.api.junit.jupiter.InjectSoftAssertions;
import org.assertj.core.api.junit.jupiter.SoftAssertionsExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The schemas accept every message of the golden files, and refuse changed ones. */
@ExtendWith(SoftAssertionsExtension.class)
abstract class SchemaTests {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** The tags that the referee does not set on each event. */
  private static final Map<String, List<String>> OPTIONAL =
      Map.of(
          "5000-gameisfound", List.of("fen", "lot"),
          "5000-gameresumed", List.of("clock"),
          "64-record", List.of("ending", "proof", "dialect"),
          "20302-state", List.of("clock", "draw", "takeback", "dialect"),
          "30065-lots", List.of("after"),
          "20305-lobby", List.of("waiting", "invite", "unlisted", "start"));

  private static GoldenMessages golden;

  @InjectSoftAssertions private SoftAssertions softly;

  @BeforeAll
  static void readMessages() {
    golden = new GoldenMessages();
  }

  @Test
  void everyReceivedMessageConforms() {
    assertThat(golden.received).hasSizeGreaterThan(1000);
    for (JsonNode message : golden.received) {
      assertConforms("message-of-relay", message);
    }
  }

  @Test
  void everyEventOfTheRefereeConforms() {
    for (JsonNode event : golden.events()) {
      if (GoldenMessages.isOfReferee(event)) {
        assertConforms("event-of-referee", event);
      }
    }
  }

  @Test
  void everySentMessageThatWasNotMalformedConforms() {
    for (JsonNode message : golden.wellFormed) {
      assertConforms("message-of-client", message);
    }
  }

  @Test
  void sentMessagesThatTheRelayFoundMalformedDoNotConform() {
    assertThat(golden.malformed).hasSizeGreaterThan(10);
    for (JsonNode message : golden.malformed) {
      assertRefused("message-of-client", "what was sent", message);
    }
  }

  @Test
  void everySchemaOfAnEventHasAnExampleInTheGoldenFiles() {
    assertThat(examples().keySet()).containsExactlyElementsOf(Schemas.ofEvents());
  }

  @Test
  void noEventConformsToTwoSchemas() {
    for (JsonNode event : golden.events()) {
      List<String> names =
          Schemas.ofEvents().stream().filter(name -> isMeantFor(name, event)).toList();
      if (names.size() > 1) {
        softly.fail(names + " accept " + event);
      }
    }
  }

  @Test
  void noSchemaAcceptsAnEventWithAMissingOrWrongField() {
    examples()
        .forEach(
            (name, example) ->
                withWrongFields(example)
                    .forEach((change, event) -> assertRefused(name, change, event)));
  }

  @Test
  void noSchemaAcceptsAnEventWithoutATagThatTheRefereeAlwaysSetsOrWithAWrongValueInIt() {
    examples()
        .forEach(
            (name, example) -> {
              if (GoldenMessages.isOfReferee(example)) {
                withWrongTags(name, example)
                    .forEach((change, event) -> assertRefused(name, change, event));
              }
            });
  }

  @Test
  void changedAnswersAreRefused() {
    Map<String, JsonNode> answers = new TreeMap<>(); // one with each text
    golden.received.stream()
        .filter(it -> it.get(0).asText().equals("OK"))
        .forEach(it -> answers.putIfAbsent(it.get(2) + it.get(3).asText(), it));
    for (JsonNode answer : answers.values()) {
      for (int i = 0; i < 4; i++) {
        ArrayNode changed = answer.deepCopy();
        changed.set(i, i == 2 ? NODES.textNode("true") : NODES.textNode("Sure"));
        assertRefused("message-of-relay", "element " + i, changed);
      }
      ArrayNode shorter = answer.deepCopy();
      shorter.remove(3);
      assertRefused("message-of-relay", "three elements", shorter);
      if (answer.get(3).asText().matches("white|black|invalid: .*")) {
        ArrayNode opposite = answer.deepCopy();
        opposite.set(2, NODES.booleanNode(!answer.get(2).asBoolean()));
        assertRefused("message-of-relay", "the opposite", opposite);
      }
    }
  }

  @Test
  void framesWithOtherNumbersAreRefused() {
    for (JsonNode message : golden.received) {
      if (message.path(1).isInt()) {
        ArrayNode changed = message.deepCopy();
        changed.set(1, NODES.numberNode(message.get(1).asInt() == 5000 ? 5002 : 5000));
        assertRefused("message-of-relay", "number", changed);
      }
    }
  }

  @Test
  void informationDocumentConforms() {
    try (TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT))) {
      JsonNode chess = relay.information().get("chess");
      assertConforms("nip11-chess", chess);
      for (String field : (Iterable<String>) chess::fieldNames) {
        ObjectNode without = chess.deepCopy();
        without.remove(field);
        assertRefused("nip11-chess", "no " + field, without);
        assertRefused("nip11-chess", field, chess.<ObjectNode>deepCopy().putObject(field));
      }
      ObjectNode house = chess.deepCopy();
      house.putObject("house").put("pubkey", "ab".repeat(32)).putArray("levels").add(1).add(2);
      assertConforms("nip11-chess", house);
      house.withObject("house").put("pubkey", "npub1");
      assertRefused("nip11-chess", "house", house);
    }
  }

  /** Their golden files are those of the relay without chess. */
  @Test
  void messagesOfComparisonsConformAndChangedOnesAreRefused() {
    Path file = Path.of("../relay-core/src/test/resources/frames/nip77/sync.frames");
    Set<String> verbs = new TreeSet<>();
    try (TestRelay relay = new TestRelay(GoldenFile.nips(file))) {
      for (GoldenFile.Played played : GoldenFile.record(relay, file)) {
        JsonNode message = played.frame() == null ? null : Client.parse(played.frame());
        if (message == null || !message.get(0).asText().startsWith("NEG-")) {
          continue;
        }
        boolean isReceived = played.step() instanceof GoldenStep.Receive;
        String schema = isReceived ? "message-of-relay" : "message-of-client";
        assertConforms(schema, message);
        verbs.add(message.get(0).asText());
        ArrayNode changed = message.deepCopy();
        changed.set(message.size() - 1, NODES.textNode("6"));
        if (!message.get(0).asText().equals("NEG-CLOSE")) {
          assertRefused(schema, "the last element", changed);
        }
        assertRefused(schema, "the length", message.<ArrayNode>deepCopy().add("more"));
      }
    }
    assertThat(verbs).containsExactly("NEG-CLOSE", "NEG-ERR", "NEG-MSG", "NEG-OPEN");
    JsonNode tooLarge = Client.parse("[\"NEG-ERR\",\"s\",\"blocked: too many events\",500000]");
    assertConforms("message-of-relay", tooLarge);
  }

  private void assertConforms(String schema, JsonNode value) {
    List<String> faults = Schemas.faults(schema, value);
    if (!faults.isEmpty()) {
      softly.fail(schema + " refuses " + value + ": " + faults);
    }
  }

  private void assertRefused(String schema, String change, JsonNode value) {
    if (Schemas.conforms(schema, value)) {
      softly.fail(schema + " accepts, with a change in " + change + ": " + value);
    }
  }

  private static boolean isMeantFor(String schema, JsonNode event) {
    return schema.startsWith(event.get("kind").asInt() + "-")
        && Schemas.isOfReferee(schema) == GoldenMessages.isOfReferee(event)
        && Schemas.conforms(schema, event);
  }

  /** An event for each schema that has one: of those that conform, one with the most tags. */
  private static Map<String, JsonNode> examples() {
    Map<String, JsonNode> examples = new TreeMap<>();
    for (JsonNode event : golden.events()) {
      for (String name : Schemas.ofEvents()) {
        JsonNode best = examples.get(name);
        boolean more = best == null || event.path("tags").size() > best.path("tags").size();
        if (more && isMeantFor(name, event)) {
          examples.put(name, event);
        }
      }
    }
    return examples;
  }

  private static Map<String, JsonNode> withWrongFields(JsonNode event) {
    Map<String, JsonNode> changed = new HashMap<>();
    for (String field : List.of("id", "pubkey", "created_at", "kind", "content", "sig")) {
      ObjectNode without = event.deepCopy();
      without.remove(field);
      changed.put("no " + field, without);
      ObjectNode wrong = event.deepCopy();
      wrong.set(field, event.get(field).isTextual() ? NODES.numberNode(7) : NODES.textNode("7"));
      changed.put("type of " + field, wrong);
    }
    for (String field : List.of("id", "pubkey", "sig")) {
      ObjectNode upper = event.deepCopy();
      changed.put("length of " + field, upper.put(field, event.get(field).asText() + "0"));
    }
    ObjectNode kind = event.deepCopy();
    changed.put("kind", kind.put("kind", event.get("kind").asInt() + 10));
    if (event.get("kind").asInt() != 22242) { // the content of a login is not evaluated
      ObjectNode content = event.deepCopy();
      changed.put("content", content.put("content", "? " + event.get("content").asText()));
    }
    return changed;
  }

  /** Copies of an event that lack a tag, or have a wrong value in one. */
  private static Map<String, JsonNode> withWrongTags(String schema, JsonNode event) {
    Map<String, JsonNode> changed = new HashMap<>();
    JsonNode tags = event.get("tags");
    for (int i = 0; i < tags.size(); i++) {
      String name = tags.get(i).get(0).asText();
      if (!OPTIONAL.getOrDefault(schema, List.of()).contains(name)) {
        ObjectNode without = event.deepCopy();
        ((ArrayNode) without.get("tags")).remove(i);
        changed.put("no tag " + name, without);
      }
      for (int k = 0; k < tags.get(i).size(); k++) {
        boolean free = k > 0 && List.of("proof").contains(name);
        if (!free) {
          ObjectNode wrong = event.deepCopy();
          ((ArrayNode) wrong.get("tags").get(i)).set(k, NODES.textNode("?!"));
          changed.put("element " + k + " of tag " + name, wrong);
        }
      }
      ObjectNode longer = event.deepCopy();
      ((ArrayNode) longer.get("tags").get(i)).add("more");
      changed.put("length of tag " + name, longer);
    }
    return changed;
  }
}
