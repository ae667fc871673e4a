package gambit.app.tool.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.rules.Position;
import gambit.chess.rules.SanMove;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Games of kind 30 that hold or do not: the same for the page (jester-games.test.ts). */
class JesterGamesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private interface Check {
    void run(JsonNode spec) throws Exception;
  }

  private static Stream<DynamicTest> games(Predicate<JsonNode> which, Check check)
      throws IOException {
    Path games = Path.of("../clients/web/src/verify/jester-games.json");
    return stream(JSON.readTree(games.toFile()))
        .filter(which)
        .map(spec -> DynamicTest.dynamicTest(spec.get("name").asText(), () -> check.run(spec)));
  }

  @TestFactory
  Stream<DynamicTest> theVerdictIsThatOfThePage() throws IOException {
    return games(spec -> true, JesterGamesTest::check);
  }

  @TestFactory
  Stream<DynamicTest> theRecordThatTheRelayMakesOfTheEventsHolds() throws IOException {
    return games(spec -> spec.has("holds"), JesterGamesTest::play);
  }

  private static void play(JsonNode spec) {
    try (TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT));
        Client player = relay.connect();
        Client follower = relay.connect()) {
      follower.send("[\"REQ\",\"records\",{\"kinds\":[64]}]");
      follower.until("EOSE");
      List<Event> events = List.copyOf(new Game(spec, relay.now()).events.values());
      for (Event event : events) {
        if (event.content().contains("abandonment")) {
          relay.time().advance(Duration.ofHours(24));
        }
        player.publishAccepted(event);
      }
      assertThat(follower.until("EVENT")).isNotEmpty();
      VerifyResult result = VerifyResult.of(events.get(0).id().hex(), relay.uri());
      assertThat(result.output())
          .contains(spec.get("holds").asText())
          .endsWith("Everything holds.\n");
    }
  }

  private static void check(JsonNode spec) {
    List<Event> stored = new Game(spec, SignedGame.START).stored();
    VerifyResult result = VerifyResult.on(stored, stored.get(0).id().hex());
    String verdict = spec.has("holds") ? "holds" : spec.has("wrong") ? "wrong" : "missing";
    assertThat(result.output())
        .contains(spec.get(verdict).asText())
        .doesNotContain("relay forwarded", "the time control -.");
    assertThat(result.status())
        .isEqualTo(List.of("holds", "wrong", "", "missing").indexOf(verdict));
  }

  private static Stream<JsonNode> stream(JsonNode elements) {
    return StreamSupport.stream(elements.spliterator(), false);
  }

  /** The stored events of a game, each signed before the one that it follows. */
  private static final class Game {
    private final JsonNode spec;
    private final long startedAt;
    private final Map<String, Event> events = new LinkedHashMap<>();
    private final List<String> sans = new ArrayList<>();
    private final List<String> moves = new ArrayList<>();
    private Position position = Position.initial();

    Game(JsonNode spec, long startedAt) {
      this.spec = spec;
      this.startedAt = startedAt;
      addStart(spec.path("start"));
      for (JsonNode step : spec.get("steps")) {
        add(step.isTextual() ? JSON.createObjectNode().set("san", step) : step);
      }
    }

    private void addStart(JsonNode start) {
      List<List<String>> tags = new ArrayList<>();
      String form = JesterMessage.START;
      if (start.has("hash")) {
        form = hash(hash(key(start.get("hash")).pubkey().hex()) + form);
      }
      tags.add(List.of("e", form));
      if (start.has("p")) {
        tags.add(List.of("p", key(start.get("p")).pubkey().hex()));
      }
      ObjectNode content = JSON.createObjectNode().put("version", "0").put("kind", 0);
      content.putArray("history");
      sign(
          "start", start.has("by") ? key(start.get("by")) : SignedGame.WHITE, tags, start, content);
    }

    private void add(JsonNode step) {
      Signer turn = position.turn() == Side.WHITE ? SignedGame.WHITE : SignedGame.BLACK;
      boolean isMove = step.has("san");
      String name = step.path("name").asText(isMove ? "" + (sans.size() + 1) : "end");
      Position before = position;
      List<String> history = new ArrayList<>(sans);
      ObjectNode content = JSON.createObjectNode().put("version", "0").put("kind", 1);
      if (isMove) {
        String san = step.get("san").asText();
        position =
            SanMove.parse(san).flatMap(it -> it.in(before)).map(it -> it.after()).orElse(before);
        history.add(san);
        content.put("move", san);
      }
      content.put("fen", position.fen());
      ArrayNode listed = content.putArray("history");
      history.forEach(listed::add);
      if (step.has("result")) {
        content.set("result", step.get("result"));
        if (step.hasNonNull("end")) {
          content.set("termination", step.get("end"));
        }
      }
      String head =
          step.path("head").asText(moves.isEmpty() ? "start" : moves.get(moves.size() - 1));
      List<String> named = step.has("e") ? texts(step.get("e")) : List.of("start", head);
      List<List<String>> tags = named.stream().map(it -> List.of("e", id(it))).toList();
      sign(name, step.has("by") ? key(step.get("by")) : turn, tags, step, content);
      if (step.has("isFork")) {
        position = before;
      } else if (isMove) {
        sans.add(history.get(history.size() - 1));
        moves.add(name);
      }
    }

    private void sign(
        String name, Signer by, List<List<String>> tags, JsonNode given, ObjectNode content) {
      given.path("content").properties().forEach(it -> content.set(it.getKey(), it.getValue()));
      texts(given.path("without")).forEach(content::remove);
      long at = startedAt - events.size() * 1000L;
      events.put(name, by.sign(at, JesterMessage.KIND, new Tags(tags), content.toString()));
    }

    /** All events but one that is dropped, the start first. */
    List<Event> stored() {
      List<String> ends = List.of(spec.get("ends").asText().split(" "));
      String result = ends.get(0);
      Signer white = SignedGame.WHITE;
      Signer black = SignedGame.BLACK;
      List<List<String>> tags = new ArrayList<>();
      tags.add(List.of("e", id("start"), "", "root"));
      tags.add(List.of("p", white.pubkey().hex(), "", "white"));
      tags.add(List.of("p", black.pubkey().hex(), "", "black"));
      tags.add(List.of("result", result));
      tags.add(List.of("termination", ends.get(1)));
      List<String> plies = spec.has("plies") ? texts(spec.get("plies")) : moves;
      tags.add(Stream.concat(Stream.of("plies"), plies.stream().map(this::id)).toList());
      ends.stream().skip(2).forEach(name -> tags.add(List.of("ending", id(name))));
      tags.add(List.of("dialect", "jester"));
      String pgn =
          "[White \"%s\"][Black \"%s\"][Result \"%s\"][TimeControl \"-\"]\n\n%s %3$s\n"
              .formatted(
                  Nip19.npub(white.pubkey()),
                  Nip19.npub(black.pubkey()),
                  result,
                  spec.path("pgn").asText(String.join(" ", sans)));
      Event record = SignedGame.RELAY.sign(SignedGame.START, 64, new Tags(tags), pgn);
      String dropped = spec.path("dropped").asText();
      return Stream.concat(
              events.entrySet().stream()
                  .filter(it -> !it.getKey().equals(dropped))
                  .map(Map.Entry::getValue),
              Stream.of(record))
          .toList();
    }

    private String id(String name) {
      Event event = events.get(name);
      return event == null ? "f".repeat(64) : event.id().hex();
    }

    private static List<String> texts(JsonNode array) {
      return stream(array).map(JsonNode::asText).toList();
    }

    private static Signer key(JsonNode name) {
      return Keys.of(name.asText());
    }

    private static String hash(String text) {
      return HexFormat.of().formatHex(Sha256.of(text));
    }
  }
}
