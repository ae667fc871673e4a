package gambit.chess.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of kind 30 meant to harm: each is answered, and games go on. */
class HostileJesterEventsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final String START = "{\"version\":\"0\",\"kind\":0,\"history\":[]}";

  @TempDir static Path temp;

  /** With an index, since each start asks for the events that name it. */
  private final EventStore store = open();

  private final TestRelay relay =
      new TestRelay(LimitValues.DEFAULT, store, new ChessFeature(ChessSettings.DEFAULT));
  private final Client client = relay.connect();

  private static EventStore open() {
    try {
      return DiskEventStore.open(
          Files.createTempDirectory(temp, "store"), InstantSource.system(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void end() {
    client.close();
    relay.close();
    store.close();
  }

  @Test
  void thousandsOfStartsOfOneKeyLeaveRoomForOthers() {
    int count = TestEffort.of(300, 10_000);
    Event theirs = client.publishAccepted(start(BOB, 0));
    List<Event> starts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      starts.add(start(ALICE, i));
      client.publishWithoutWaiting(starts.get(i));
    }
    for (Event start : starts) {
      assertThat(client.next()).isEqualTo("[\"OK\",\"" + start.id() + "\",true,\"\"]");
    }
    Collections.reverse(starts);
    List<String> expected =
        Stream.concat(starts.subList(0, 10).stream(), Stream.of(theirs))
            .map(it -> it.id().hex())
            .toList();
    await().untilAsserted(() -> assertThat(openStarts()).isEqualTo(expected));
    // a start that has lost its place is taken up again by a move, as is that of another player
    for (Event start : List.of(theirs, starts.get(count - 1))) {
      Signer second = start == theirs ? ALICE : BOB;
      Signer white = start == theirs ? BOB : ALICE;
      Event e4 = client.publishAccepted(move(white, start, start, "[\"e4\"]"));
      client.publishAccepted(move(second, start, e4, "[\"e4\",\"e5\"]"));
      assertThat(client.answerTo(move(second, start, start, "[\"d4\"]")))
          .isEqualTo("invalid: not your turn");
    }
  }

  @Test
  void everyContentIsAnsweredAndTheGameGoesOn() {
    Event start = client.publishAccepted(start(ALICE, 0));
    Event e4 = client.publishAccepted(move(ALICE, start, start, "[\"e4\"]"));
    Event e5 = client.publishAccepted(move(BOB, start, e4, "[\"e4\",\"e5\"]"));
    String many = "\"e4\",\"e5\"" + ",\"Nf3\"".repeat(9_998);
    String noHistory = "invalid: a move has a history";
    String illegal = "invalid: illegal move %s after 2 plies";
    List<List<String>> contents =
        List.of(
            List.of(turn("[" + many + "]"), ""), // longer than a game that is judged
            List.of(turn("[1,null,{}]"), noHistory),
            List.of(turn("[\"e4\",\"e5\",[\"Nf3\"]]"), noHistory),
            List.of(turn("{\"0\":\"e4\"}"), noHistory),
            List.of(turn("\"e4 e5 Nf3\""), noHistory),
            List.of(turn("[\"e4\",\"e5\",\"♘f3\"]"), illegal.formatted("?f3")),
            List.of(turn("[\"e4\",\"e5\",\"Nf3\\u200b\"]"), illegal.formatted("Nf3?")),
            List.of(turn("[\"e4\",\"e5\",\"\\ud800\"]"), illegal.formatted("?")),
            List.of(turn("[\"e4\",\"e5\",\"\"]"), illegal.formatted("")),
            List.of(
                turn("[\"e4\",\"e5\",\"" + "N".repeat(100_000) + "\"]"),
                illegal.formatted("N".repeat(12) + "...")),
            List.of(
                "{\"version\":\"0\",\"kind\":1,\"history\":[\"e4\",\"e5\"],\"history\":[\"e4\"]}",
                "invalid: the history differs at ply 2"),
            List.of(
                "{\"version\":" + "9".repeat(900) + ",\"kind\":1,\"history\":[]}", "invalid: *"),
            List.of("{\"version\":\"0\",\"kind\":" + "1".repeat(2_000) + ",\"history\":[]}", ""),
            List.of("{\"version\":\"0\",\"kind\":1e999999999,\"history\":[]}", ""),
            List.of("{\"version\":\"0\",\"kind\":-1,\"history\":[]}", ""),
            List.of("{\"version\":\"0\",\"kind\":1,\"x\":" + "[".repeat(50_000), ""),
            List.of("{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000), ""),
            List.of(turn("[\"e4\",\"e5\",\"Nf3\"]") + " and more", ""),
            List.of("\ufeff" + turn("[\"e4\",\"e5\",\"Nf3\"]"), ""),
            List.of("// " + turn("[]"), ""),
            List.of("{'version':'0','kind':1,'history':[]}", ""));
    for (List<String> content : contents) {
      Event event = sign(ALICE, start, e5, content.get(0));
      String answer = client.answerTo(event);
      String expected = content.get(1);
      assertThat(expected.endsWith("*") ? answer.substring(0, 9) + "*" : answer)
          .as(content.get(0).substring(0, Math.min(100, content.get(0).length())))
          .isEqualTo(expected);
    }
    String padded =
        "{\"x\":{\"kind\":0,\"y\":[[]]},\"kind\":0,\"padding\":\""
            + "x".repeat(100_000)
            + "\",\"version\":\"0\",\"kind\":1,\"history\":[\"e4\",\"e5\",\"Nf3\"]}";
    Event nf3 = client.publishAccepted(sign(ALICE, start, e5, padded));
    client.publishAccepted(move(BOB, start, nf3, "[\"e4\",\"e5\",\"Nf3\",\"Nc6\"]"));
    assertThat(client.answerTo(move(ALICE, start, e5, "[\"e4\",\"e5\",\"d4\"]")))
        .isEqualTo("blocked: move 2 of white has been played: " + nf3.id());
  }

  @Test
  void eventsThatWaitForOneThatNeverComesAreOrdinaryAndHinderNobody() {
    Event start = start(ALICE, 0);
    Event e4 = move(ALICE, start, start, "[\"e4\"]");
    for (int i = 0; i < 600; i++) { // more than are looked at
      client.publishAccepted(sign(Keys.of("stranger " + i), start, e4, turn("[\"e4\",\"c5\"]")));
    }
    client.publishAccepted(start);
    client.publishAccepted(e4);
    client.send("[\"REQ\",\"state\",{\"kinds\":[20302],\"#d\":[\"" + start.id() + "\"]}]");
    JsonNode shown = client.until("EVENT").stream().reduce((a, b) -> b).orElseThrow();
    assertThat(shown.get(2).get("tags").toString()).contains("[\"san\",\"c5\"]");
  }

  /** The starts in the lobby after a rest. */
  private List<String> openStarts() {
    relay.time().advance(Duration.ofSeconds(100));
    client.send("[\"REQ\",\"lobby\",{\"kinds\":[20305]}]");
    JsonNode lobby = client.until("EOSE").get(0).get(2);
    client.send("[\"CLOSE\",\"lobby\"]");
    List<String> ids = new ArrayList<>();
    for (JsonNode tag : lobby.get("tags")) {
      if (tag.get(0).asText().equals("start")) {
        ids.add(tag.get(1).asText());
      }
    }
    return ids;
  }

  private Event start(Signer author, int age) {
    return author.sign(
        relay.now() - age,
        JesterMessage.KIND,
        new Tags(List.of(List.of("e", JesterMessage.START))),
        START);
  }

  private static String turn(String history) {
    return "{\"version\":\"0\",\"kind\":1,\"history\":" + history + "}";
  }

  private Event move(Signer author, Event start, Event head, String history) {
    return sign(author, start, head, turn(history));
  }

  private Event sign(Signer author, Event start, Event head, String content) {
    List<List<String>> tags =
        Stream.of(start, head).map(it -> List.of("e", it.id().hex())).toList();
    return author.sign(relay.now(), JesterMessage.KIND, new Tags(tags), content);
  }
}
