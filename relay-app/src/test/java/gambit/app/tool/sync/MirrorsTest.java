package gambit.app.tool.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.session.ChessImports;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mirrors of relays in this process. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class MirrorsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path data;

  private static TestRelay relay(Feature... features) {
    return new TestRelay(
        LimitValues.DEFAULT, new MemoryEventStore(64 << 20), InstantSource.system(), features);
  }

  private static Event publish(TestRelay relay, String content) {
    try (Client client = relay.connect()) {
      return client.publishAccepted(
          ALICE.sign(Instant.now().getEpochSecond(), 1, Tags.NONE, content));
    }
  }

  private static void awaitStored(TestRelay relay, Event event) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              try (Client client = relay.connect()) {
                assertThat(client.queryIds("{\"ids\":[\"" + event.id() + "\"]}"))
                    .containsExactly(event.id().hex());
              }
            });
  }

  private static SyncSettings settings(Duration interval, String... peers) {
    return new SyncSettings(List.of(peers).stream().map(PeerSettings::parse).toList(), interval);
  }

  private static void start(Mirrors mirrors, TestRelay own) {
    mirrors.start(
        RelayPlace.of(own.uri()).withHeaders(TestRelay.operatorHeaders()),
        death -> {
          throw new AssertionError(death);
        });
  }

  @Test
  void storedAndNewEventsOfBothRelaysAreMirrored() throws Exception {
    try (TestRelay there = relay()) {
      Mirrors mirrors = new Mirrors(settings(LONG, there.uri() + " both"), data);
      try (TestRelay here = relay(mirrors);
          mirrors) {
        Event oldThere = publish(there, "stored there");
        Event oldHere = publish(here, "stored here");
        start(mirrors, here);
        awaitStored(here, oldThere);
        awaitStored(there, oldHere);
        awaitStored(here, publish(there, "new there"));
        awaitStored(there, publish(here, "new here"));
        // live events arrive during the comparison, too
        await().atMost(PATIENCE).until(() -> read(here, "complete") == 1);
        assertThat(here.metrics().read("mirrors_connected")).isEqualTo(1);
        assertThat(Files.readString(data.resolve("sync-checkpoints")))
            .matches("[0-9]+ " + there.uri() + " both\\n");
      }
    }
  }

  @Test
  void aComparisonThatFailsIsRepeatedAfterAWhile() throws Exception {
    AtomicInteger comparisons = new AtomicInteger();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                message.path(0).asText().equals("NEG-OPEN")
                    ? List.of(
                        "[\"NEG-MSG\",\"%s\",\"%s\"]"
                            .formatted(
                                message.path(1).asText(),
                                comparisons.getAndIncrement() == 0 ? "ff" : "61"))
                    : List.of())) {
      Mirrors mirrors = new Mirrors(settings(LONG), data);
      try (TestRelay here = relay(mirrors);
          mirrors) {
        start(mirrors, here);
        mirrors.change(settings(LONG, peer.url() + " down"));
        await().atMost(PATIENCE).until(() -> read(here, "complete") == 1);
        assertThat(read(here, "interrupted")).isEqualTo(1);
        assertThat(comparisons).hasValue(2);
        mirrors.change(settings(LONG));
        assertThat(here.metrics().read("mirrors")).isZero();
        assertThat(data.resolve("sync-checkpoints")).isEmptyFile();
      }
    }
  }

  @Test
  void aPeerThatAnswersNoPingIsConnectedAnewAlthoughThisRelayAnswers() {
    Duration answerTimeout = Duration.ofSeconds(2);
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                switch (message.path(0).asText()) {
                  case "NEG-OPEN" ->
                      List.of("[\"NEG-MSG\",\"%s\",\"61\"]".formatted(message.path(1).asText()));
                  default -> List.of();
                })) {
      Mirrors mirrors = new Mirrors(settings(LONG, peer.url() + " down"), data, answerTimeout);
      try (TestRelay here = relay(mirrors);
          mirrors) {
        start(mirrors, here);
        await().atMost(PATIENCE).until(() -> read(here, "complete") == 1);
        peer.stopReading();
        await().atMost(PATIENCE).until(() -> read(here, "interrupted") >= 1);
        await().atMost(PATIENCE).until(() -> read(here, "complete") >= 2);
      }
    }
  }

  @Test
  void ephemeralEventsAndCommandsOfChessAreNotPassedOn() {
    List<Integer> kinds = new CopyOnWriteArrayList<>();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                switch (message.path(0).asText()) {
                  case "NEG-OPEN" ->
                      List.of("[\"NEG-MSG\",\"%s\",\"61\"]".formatted(message.path(1).asText()));
                  case "EVENT" -> {
                    kinds.add(message.path(1).path("kind").asInt());
                    yield List.of(
                        "[\"OK\",\"%s\",true,\"\"]".formatted(message.path(1).path("id").asText()));
                  }
                  default -> List.of();
                })) {
      Mirrors mirrors = new Mirrors(settings(LONG, peer.url() + " up"), data);
      try (TestRelay here = relay(mirrors);
          mirrors;
          Client client = here.connect()) {
        start(mirrors, here);
        await().atMost(PATIENCE).until(() -> read(here, "complete") == 1);
        for (int kind : List.of(20_001, 24_133, 5000, 5001, 5002, 5003, 1)) {
          client.publishAccepted(
              ALICE.sign(Instant.now().getEpochSecond(), kind, Tags.NONE, "" + kind));
        }
        await().atMost(PATIENCE).until(() -> kinds.contains(1));
        assertThat(kinds).containsExactly(1);
      }
    }
  }

  /** Kind 5001 is a move, which is refused as long as its game has no record. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5001})
  void aMirrorThatReadsPagesResumesAnHourBeforeTheOldestEventThatIsLeft(int kind) {
    long time = Instant.now().getEpochSecond();
    Event event = ALICE.sign(time - 7200, kind, Tags.NONE, "e2e4");
    List<JsonNode> pages = new CopyOnWriteArrayList<>();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message -> {
              String id = message.path(1).asText();
              List<String> answers = new ArrayList<>();
              if (message.path(0).asText().equals("NEG-OPEN")) {
                answers.add("[\"NEG-ERR\",\"%s\",\"unsupported: NIP-77\"]".formatted(id));
              } else if (message.path(0).asText().equals("REQ")) {
                JsonNode filter = message.path(2);
                if (filter.has("until")) {
                  pages.add(filter);
                }
                if (filter.has("ids")
                    || (filter.path("since").asLong() <= event.createdAt()
                        && filter.path("until").asLong() >= event.createdAt())) {
                  answers.add("[\"EVENT\",\"%s\",%s]".formatted(id, event));
                }
                answers.add("[\"EOSE\",\"%s\"]".formatted(id));
              }
              return answers;
            })) {
      compareOnce(peer);
      assertThat(pages.get(0).has("since")).isFalse();
      pages.clear();
      compareOnce(peer);
      long since = pages.get(0).path("since").asLong();
      if (kind == 5001) {
        assertThat(since).isEqualTo(event.createdAt() - 3600);
      } else {
        assertThat(since).isGreaterThanOrEqualTo(time - 3600);
      }
    }
  }

  private void compareOnce(ScriptedPeer peer) {
    Mirrors mirrors = new Mirrors(settings(LONG, peer.url() + " down"), data);
    try (TestRelay here = relay(mirrors, new ChessImports(ChessSettings.DEFAULT));
        mirrors) {
      start(mirrors, here);
      await().atMost(PATIENCE).until(() -> read(here, "complete") == 1);
    }
  }

  private static long read(TestRelay relay, String result) {
    return relay.metrics().read("mirror_comparisons{result=" + result + "}");
  }

  @Test
  void eventsThatWereMissedLiveArriveWithTheNextComparison() throws Exception {
    try (TestRelay there = relay()) {
      Mirrors mirrors = new Mirrors(settings(Duration.ofMillis(300), there.uri() + " down"), data);
      try (TestRelay here = relay(mirrors);
          mirrors) {
        start(mirrors, here);
        awaitStored(here, publish(there, "new"));
        try (Client operator = there.connectOperator()) {
          // older than what the subscription asks for
          Event late = ALICE.sign(1_700_000_000, 1, Tags.NONE, "late");
          operator.publishAccepted(late);
          awaitStored(here, late);
        }
      }
    }
  }
}
