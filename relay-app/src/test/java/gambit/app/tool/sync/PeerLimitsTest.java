package gambit.app.tool.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.sync.MoveCounts.Fate;
import gambit.app.tool.sync.PeerSettings.Direction;
import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.store.Transaction;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Synchronizations with relays whose information document (NIP-11) states small limits. */
class PeerLimitsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final SyncFilter ALL = SyncFilter.parse("{}");

  private static List<Event> notes(long from, int count) {
    List<Event> notes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      notes.add(ALICE.sign(from + i / 5, 1, Tags.NONE, "note " + i));
    }
    return notes;
  }

  private static Event noteOf(int chars) {
    return ALICE.sign(50_000, 1, Tags.NONE, "n".repeat(chars));
  }

  /** A relay that has stored these events, and reads messages of that length. */
  @SafeVarargs
  private static TestRelay relay(int messageBytes, List<Event>... events) throws IOException {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    try (Transaction transaction = store.begin()) {
      for (List<Event> each : events) {
        each.forEach(event -> transaction.append(event, Transaction.NEVER));
      }
      transaction.commit();
    }
    return new TestRelay(
        TestLimits.builder().set(Limit.MESSAGE_BYTES, messageBytes).build(), store);
  }

  private static Set<EventId> stored(TestRelay relay) {
    Set<EventId> ids = new HashSet<>();
    try (Client operator = relay.connectOperator()) {
      operator.queryIds("{\"limit\":5000}").forEach(id -> ids.add(EventId.ofHex(id)));
    }
    return ids;
  }

  private static SyncRun sync(TestRelay here, URI peer, Direction direction, SyncFilter filter)
      throws RelayFailure {
    RelayPlace own = RelayPlace.of(here.uri()).withHeaders(TestRelay.operatorHeaders());
    try (RelayPair pair = new RelayPair(own, RelayPlace.of(peer), null, RelayPair.SILENCE)) {
      SyncRun run =
          new SyncRun(
              pair, direction, 0, new SyncRun.RefusedByRelays(), MoveCounts.MoveObserver.NONE);
      run.run(filter, 0);
      return run;
    }
  }

  @ParameterizedTest
  @CsvSource({"131072, 16384", "131072, 4096", "4096, 131072", "131072, 1500", "1500, 131072"})
  void relaysThatReadShortMessagesAreSentNoLongerOnes(int ours, int theirs) throws Exception {
    List<Event> common = notes(1000, 1000);
    List<Event> onlyHere = notes(10_000, 600);
    List<Event> onlyThere = notes(20_000, 600);
    try (TestRelay here = relay(ours, common, onlyHere);
        TestRelay there = relay(theirs, common, onlyThere)) {
      SyncRun run = sync(here, there.uri(), Direction.BOTH, ALL);
      assertThat(run.upCounts().get(Fate.STORED)).isEqualTo(600);
      assertThat(run.downCounts().get(Fate.STORED)).isEqualTo(600);
      assertThat(stored(here)).hasSize(2200).isEqualTo(stored(there));
      assertThat(run.whyPages().isEmpty()).isEqualTo(Math.min(ours, theirs) > 2000);
    }
  }

  @Test
  void whyEventsAreReadPageByPageIsNamedIfThePeersMessagesAreTooShortForComparisons()
      throws Exception {
    try (TestRelay here = relay(131_072);
        TestRelay there = relay(1500)) {
      assertThat(sync(here, there.uri(), Direction.DOWN, ALL).whyPages())
          .isEqualTo(there.uri() + ": reads messages of 1,500 bytes");
    }
  }

  @Test
  void eventsThatAreTooLongForTheirReceiverAreRefusedAndTheOthersMoved() throws Exception {
    Event fitting = noteOf(10_000);
    Event tooLong = noteOf(20_000);
    List<Event> others = notes(1000, 10);
    try (TestRelay here = relay(131_072, List.of(fitting, tooLong), others);
        TestRelay there = relay(16_384)) {
      SyncRun run = sync(here, there.uri(), Direction.UP, ALL);
      assertThat(run.upCounts().get(Fate.STORED)).isEqualTo(11);
      assertThat(run.upCounts().reasons()).containsOnlyKeys("too long for a message");
      assertThat(stored(there)).contains(fitting.id()).doesNotContain(tooLong.id());
    }
  }

  @Test
  void aPeerThatReadsLongerMessagesThanUsualIsSentLongerEvents() throws Exception {
    Event longEvent = noteOf(200_000);
    try (TestRelay here = relay(1 << 20, List.of(longEvent));
        TestRelay there = relay(1 << 20)) {
      assertThat(sync(here, there.uri(), Direction.UP, ALL).upCounts().get(Fate.STORED))
          .isEqualTo(1);
    }
  }

  @Test
  void aFilterThatIsTooLongForThePeerIsNamed() throws Exception {
    SyncFilter filter =
        SyncFilter.parse(
            "{\"authors\":[\""
                + (ALICE.pubkey().hex() + "\",\"").repeat(20)
                + ALICE.pubkey().hex()
                + "\"]}");
    try (TestRelay here = relay(131_072);
        TestRelay there = relay(1000)) {
      assertThatThrownBy(() -> sync(here, there.uri(), Direction.DOWN, filter))
          .isInstanceOf(RelayFailure.class)
          .hasMessageMatching(
              there.uri() + " reads messages of 1,000 bytes, and this one has 1,4..: .\"REQ\".*");
    }
  }

  private static String answer(JsonNode message, String verb) {
    return "[\"" + verb + "\",\"" + message.path(1).asText() + "\"";
  }

  /** A relay with one note of each second, which refuses larger limits than it states. */
  private static List<String> withNotes(JsonNode message, List<Event> notes, int maxLimit) {
    JsonNode filter = message.path(2);
    if (!message.path(0).asText().equals("REQ")) {
      return SyncRunTest.withoutEvents(message);
    } else if (filter.path("limit").asInt() > maxLimit || filter.path("ids").size() > maxLimit) {
      return List.of(answer(message, "CLOSED") + ",\"blocked: limit\"]");
    }
    List<String> answers = new ArrayList<>();
    for (int i = notes.size() - 1; i >= 0 && answers.size() < filter.path("limit").asInt(); i--) {
      if (notes.get(i).createdAt() <= filter.path("until").asLong()) {
        answers.add(answer(message, "EVENT") + "," + notes.get(i) + "]");
      }
    }
    answers.add(answer(message, "EOSE") + "]");
    return answers;
  }

  @Test
  void aPeerIsNotAskedForMoreEventsAtOnceThanItServes() throws Exception {
    List<Event> notes = notes(1000, 300);
    try (TestRelay here = relay(131_072);
        ScriptedPeer there =
            new ScriptedPeer(
                "{\"limitation\":{\"max_limit\":40}}",
                List.of(),
                message -> withNotes(message, notes, 40))) {
      SyncRun run = sync(here, there.url(), Direction.DOWN, ALL);
      assertThat(run.downCounts().get(Fate.STORED)).isEqualTo(300);
    }
  }

  /** Thousands of ids in the first second, and something else in all later ones. */
  private static String claims(JsonNode message) {
    StringBuilder hex = new StringBuilder("610200028f50"); // up to second 1: 2,000 ids
    for (int i = 0; i < 2000; i++) {
      hex.append(String.format("%064x", i));
    }
    return answer(message, "NEG-MSG") + ",\"" + hex + "000001" + "ab".repeat(16) + "\"]";
  }

  @Test
  void aPeerIsSentOneRequestAtOnce() throws Exception {
    AtomicInteger open = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (TestRelay here = relay(131_072);
        ScriptedPeer there =
            new ScriptedPeer(
                "{}",
                List.of(),
                message -> {
                  switch (message.path(0).asText()) {
                    case "NEG-OPEN", "NEG-MSG" -> {
                      return List.of(claims(message));
                    }
                    case "REQ" -> most.accumulateAndGet(open.incrementAndGet(), Math::max);
                    case "CLOSE" -> open.decrementAndGet();
                    default -> {}
                  }
                  return SyncRunTest.withoutEvents(message);
                })) {
      assertThatThrownBy(() -> sync(here, there.url(), Direction.DOWN, ALL))
          .hasMessageContaining("does not serve the events");
      assertThat(most).hasValue(1);
    }
  }
}
