package gambit.app.tool.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.jester.JesterLine;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.nip.StandardNips;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mirrors of relays without a referee, on which games of kind 30 are played. */
class JesterMirrorsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer CAROL = Keys.of("carol");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** When the games were played: before the clocks of all relays here. */
  private static final long THEN = Instant.parse("2026-01-01T06:00:00Z").getEpochSecond();

  @TempDir Path data;

  private static TestRelay relay(Feature... features) {
    return new TestRelay(
        LimitValues.DEFAULT, new MemoryEventStore(64 << 20), InstantSource.system(), features);
  }

  private Mirrors mirrorOf(TestRelay there) {
    PeerSettings peer = PeerSettings.parse(there.uri() + " down");
    return new Mirrors(new SyncSettings(List.of(peer), Duration.ofHours(1)), data);
  }

  private static TestRelay relayWith(Mirrors mirrors) {
    return relay(mirrors, new ChessFeature(ChessSettings.DEFAULT));
  }

  private static void start(Mirrors mirrors, TestRelay own) {
    mirrors.start(
        RelayPlace.of(own.uri()).withHeaders(TestRelay.operatorHeaders()),
        death -> {
          throw new AssertionError(death);
        });
  }

  private static void publish(TestRelay relay, Event... events) {
    try (Client client = relay.connect()) {
      for (Event event : events) {
        client.publishAccepted(event);
      }
    }
  }

  /** The first event of a filter, stored or live, that has a property. */
  private static JsonNode awaitEvent(TestRelay relay, String filter, Predicate<JsonNode> property) {
    try (Client client = relay.connect()) {
      client.send("[\"REQ\",\"q\"," + filter + "]");
      while (true) {
        JsonNode message = client.nextJson();
        if (message.get(0).asText().equals("EVENT") && property.test(message.get(2))) {
          return message.get(2);
        }
      }
    }
  }

  private static List<String> tag(JsonNode event, String name) {
    List<String> values = new ArrayList<>();
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        tag.forEach(value -> values.add(value.asText()));
        return values;
      }
    }
    return values;
  }

  private static JsonNode state(TestRelay relay, String game, int ply) {
    String filter = "{\"kinds\":[20302],\"#d\":[\"" + game + "\"]}";
    return awaitEvent(relay, filter, it -> tag(it, "ply").get(1).equals("" + ply));
  }

  private static JsonNode record(TestRelay relay, String game) {
    return awaitEvent(relay, "{\"kinds\":[64],\"#e\":[\"" + game + "\"]}", it -> true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void gameThatWasPlayedThereIsRecordedHereWhole(boolean isComparedByNegentropy) {
    List<Event> events = new ArrayList<>(JesterLine.moves(ALICE, BOB, THEN, 120));
    JesterLine line = JesterLine.of(events);
    events.add(line.later().end(ALICE, "0-1", "resignation"));
    StandardNips nips =
        isComparedByNegentropy ? StandardNips.DEFAULT : new StandardNips(Set.of(77), true, 0);
    try (TestRelay there = new TestRelay(nips, new MemoryEventStore(64 << 20))) {
      publish(there, events.toArray(Event[]::new));
      Mirrors mirrors = mirrorOf(there);
      try (TestRelay here = relayWith(mirrors);
          mirrors) {
        start(mirrors, here);
        JsonNode record = record(here, line.id());
        List<String> moves =
            events.subList(1, 121).stream().map(event -> event.id().hex()).toList();
        assertThat(tag(record, "plies").subList(1, 121)).isEqualTo(moves);
        assertThat(tag(record, "termination")).containsExactly("termination", "resignation");
        assertThat(tag(record, "dialect")).containsExactly("dialect", "jester", "elsewhere");
      }
    }
  }

  @Test
  void gameThatIsPlayedThereIsFollowedHere() {
    try (TestRelay there = relay()) {
      List<Event> events = JesterLine.moves(ALICE, BOB, Instant.now().getEpochSecond() - 20, 40);
      String game = events.get(0).id().hex();
      publish(there, events.subList(0, 3).toArray(Event[]::new));
      Mirrors mirrors = mirrorOf(there);
      try (TestRelay here = relayWith(mirrors);
          mirrors) {
        start(mirrors, here);
        assertThat(tag(state(here, game, 2), "dialect"))
            .containsExactly("dialect", "jester", "elsewhere");
        for (int ply = 3; ply <= 40; ply++) {
          publish(there, events.get(ply));
        }
        state(here, game, 40);
        publish(there, JesterLine.of(events).end(BOB, "1-0", "resignation"));
        assertThat(tag(record(here, game), "result")).containsExactly("result", "1-0");
      }
    }
  }

  @Test
  void playerOfThereTakesNoSeatThatIsTakenHere() {
    try (TestRelay there = relay()) {
      long now = Instant.now().getEpochSecond();
      JesterLine line = JesterLine.start(ALICE, Side.WHITE, now, List.of());
      JesterLine other = JesterLine.start(ALICE, Side.WHITE, now, List.of());
      Mirrors mirrors = mirrorOf(there);
      try (TestRelay here = relayWith(mirrors);
          mirrors) {
        Event first = line.move(ALICE, "e2e4");
        publish(here, line.start(), first, line.move(BOB, "e7e5"));
        Event reply = other.after(first).move(CAROL, "c7c5");
        publish(there, other.start(), first, reply);
        start(mirrors, here);
        await()
            .atMost(PATIENCE)
            .until(() -> here.metrics().read("mirror_comparisons{result=complete}") == 1);
        try (Client client = here.connect()) {
          assertThat(client.queryIds("{\"ids\":[\"" + reply.id() + "\"]}")).isEmpty();
        }
        publish(here, line.move(ALICE, "g1f3"));
        JsonNode state = state(here, line.id(), 3);
        assertThat(tag(state, "dialect")).containsExactly("dialect", "jester");
        assertThat(state.toString()).contains(BOB.pubkey().hex());
      }
    }
  }
}
