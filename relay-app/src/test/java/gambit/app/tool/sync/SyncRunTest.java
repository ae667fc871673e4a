package gambit.app.tool.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.sync.MoveCounts.Fate;
import gambit.app.tool.sync.PeerSettings.Direction;
import gambit.chess.session.ChessImports;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.nip.StandardNips;
import gambit.core.store.Transaction;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.Reason;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Synchronizations of two relays over sockets. */
class SyncRunTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final SyncFilter ALL = SyncFilter.parse("{}");
  private static final int MESSAGE_BYTES = LimitValues.DEFAULT.get(Limit.MESSAGE_BYTES);
  private static final StandardNips WITHOUT_77 = new StandardNips(Set.of(67, 77), true, 0);

  private TestRelay here = new TestRelay();
  private Duration answerTimeout = Duration.ofSeconds(30);
  private final SyncRun.RefusedByRelays refused = new SyncRun.RefusedByRelays();

  @AfterEach
  void close() {
    here.close();
  }

  private static Event note(long createdAt, int number) {
    return ALICE.sign(createdAt, 1, Tags.NONE, "note " + number);
  }

  private static List<Event> notes(long from, int count, int perSecond) {
    List<Event> notes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      notes.add(note(from + i / perSecond, i));
    }
    return notes;
  }

  /** A relay that has stored these events, unchecked, before it starts. */
  @SafeVarargs
  private static TestRelay relayWith(StandardNips nips, List<Event>... events) {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    try (Transaction transaction = store.begin()) {
      for (List<Event> each : events) {
        each.forEach(event -> transaction.append(event, Transaction.NEVER));
      }
      transaction.commit();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return new TestRelay(nips, store);
  }

  @SafeVarargs
  private static TestRelay relayWith(List<Event>... events) {
    return relayWith(StandardNips.DEFAULT, events);
  }

  /** This relay is one that has stored these events. */
  @SafeVarargs
  private void storeHere(List<Event>... events) {
    here.close();
    here = relayWith(events);
  }

  private static Set<EventId> stored(TestRelay relay) {
    Set<EventId> ids = new HashSet<>();
    try (Client operator = relay.connectOperator()) {
      operator.queryIds("{\"limit\":5000}").forEach(id -> ids.add(EventId.ofHex(id)));
    }
    return ids;
  }

  @SafeVarargs
  private static Set<EventId> idsOf(List<Event>... lists) {
    Set<EventId> ids = new HashSet<>();
    for (List<Event> list : lists) {
      list.forEach(event -> ids.add(event.id()));
    }
    return ids;
  }

  private SyncRun sync(URI peer, Direction direction, SyncFilter filter) throws RelayFailure {
    return sync(peer, direction, filter, null);
  }

  private SyncRun sync(URI peer, Direction direction, SyncFilter filter, @Nullable Signer key)
      throws RelayFailure {
    RelayPlace own = RelayPlace.of(here.uri()).withHeaders(TestRelay.operatorHeaders());
    RelayPlace other = new RelayPlace(peer, TestRelay.URL, null);
    try (RelayPair pair = new RelayPair(own, other, key, answerTimeout)) {
      SyncRun run = new SyncRun(pair, direction, 0, refused, MoveCounts.MoveObserver.NONE);
      run.run(filter, 0);
      return run;
    }
  }

  private static RelayFailure failureOf(FailingSync sync) {
    try {
      sync.run();
    } catch (RelayFailure e) {
      return e;
    }
    throw new AssertionError("the synchronization has succeeded");
  }

  private interface FailingSync {
    void run() throws RelayFailure;
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void eachRelayGetsWhatItLacksIfTheDirectionSaysSo(Direction direction) throws Exception {
    List<Event> common = notes(1000, 500, 3);
    List<Event> ours = notes(5000, 300, 7);
    List<Event> theirs = notes(9000, 400, 50);
    storeHere(common, ours);
    try (TestRelay there = relayWith(common, theirs)) {
      SyncRun run = sync(there.uri(), direction, ALL);
      assertThat(run.whyPages()).isEmpty();
      assertThat(run.downCounts().get(Fate.STORED)).isEqualTo(direction.isDown() ? 400 : 0);
      assertThat(run.upCounts().get(Fate.STORED)).isEqualTo(direction.isUp() ? 300 : 0);
      assertThat(run.downCounts().get(Fate.KNOWN) + run.upCounts().get(Fate.KNOWN)).isZero();
      assertThat(stored(here))
          .isEqualTo(direction.isDown() ? idsOf(common, ours, theirs) : idsOf(common, ours));
      assertThat(stored(there))
          .isEqualTo(direction.isUp() ? idsOf(common, ours, theirs) : idsOf(common, theirs));
    }
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void aRelayWithoutNip77IsReadPageByPage(Direction direction) throws Exception {
    List<Event> common = notes(1000, 500, 3);
    List<Event> ours = notes(1050, 700, 200); // several pages of seconds that both have
    List<Event> theirs = notes(1080, 400, 150);
    List<Event> crowded = notes(2000, 600, 600); // a second with more events than a page
    storeHere(common, ours);
    try (TestRelay there = relayWith(WITHOUT_77, common, theirs, crowded)) {
      SyncRun run = sync(there.uri(), direction, ALL);
      assertThat(run.whyPages()).contains("unsupported:");
      if (direction.isDown()) {
        assertThat(stored(here)).containsAll(idsOf(common, ours, theirs, crowded));
      }
      if (direction.isUp()) {
        assertThat(stored(there)).containsAll(idsOf(common, ours, theirs, crowded));
      }
      assertThat(stored(here).containsAll(idsOf(theirs))).isEqualTo(direction.isDown());
      assertThat(stored(there).containsAll(idsOf(ours))).isEqualTo(direction.isUp());
    }
  }

  @Test
  void onlyEventsOfTheFilterAreMoved() throws Exception {
    try (TestRelay there = relayWith(notes(1000, 100, 1))) {
      sync(there.uri(), Direction.DOWN, SyncFilter.parse("{\"since\":1010,\"until\":1019}"));
      assertThat(stored(here)).isEqualTo(idsOf(notes(1000, 100, 1).subList(10, 20)));
    }
  }

  @Test
  void anEventThatWasDeletedHereDoesNotComeBackAndIsRequestedOnce() throws Exception {
    Event note = note(here.now(), 1);
    try (TestRelay there = relayWith(List.of(note));
        Client client = here.connect()) {
      client.publishAccepted(note);
      client.publishAccepted(
          ALICE.sign(here.now(), 5, new Tags(List.of(List.of("e", note.id().hex()))), ""));
      SyncRun first = sync(there.uri(), Direction.DOWN, ALL);
      assertThat(first.downCounts().get(Fate.REFUSED)).isEqualTo(1);
      assertThat(first.downCounts().reasons().keySet()).singleElement().asString().contains(":");
      assertThat(stored(here)).doesNotContain(note.id());
      assertThat(sync(there.uri(), Direction.DOWN, ALL).downCounts().get(Fate.LACKED)).isZero();
    }
  }

  @Test
  void eventsThatTheirAuthorProtectsAreNotMoved() throws Exception {
    Event mine = ALICE.sign(1000, 1, new Tags(List.of(List.of("-"))), "mine");
    try (TestRelay there = relayWith(List.of(mine, note(1001, 1)))) {
      SyncRun run = sync(there.uri(), Direction.BOTH, ALL);
      assertThat(run.downCounts().reasons()).containsOnlyKeys("protected by its author (NIP-70)");
      assertThat(stored(here)).doesNotContain(mine.id()).hasSize(1);
    }
  }

  @Test
  void eventsThatAreRateLimitedAreSentAgain() throws Exception {
    Set<EventId> delayed = ConcurrentHashMap.newKeySet();
    List<Event> ours = notes(here.now(), 20, 1);
    storeHere(ours);
    try (TestRelay there =
        new TestRelay(
            relay ->
                relay.gate(
                    submission ->
                        delayed.size() < 5 && delayed.add(submission.event().id())
                            ? Optional.of(Reason.rateLimited("slow down"))
                            : Optional.empty()))) {
      SyncRun run = sync(there.uri(), Direction.UP, ALL);
      assertThat(run.upCounts().get(Fate.STORED)).isEqualTo(20);
      assertThat(run.upCounts().get(Fate.REFUSED)).isZero();
      assertThat(stored(there)).isEqualTo(idsOf(ours));
    }
  }

  @Test
  void forgedEventsAreRefusedHereAndCounted() throws Exception {
    Event other = note(1000, 2);
    Event forged =
        ReceivedMessage.parseEvent(note(1000, 1).toString().replace("note 1", "note X"))
            .orElseThrow();
    try (TestRelay there = relayWith(List.of(forged, other))) {
      SyncRun run = sync(there.uri(), Direction.DOWN, ALL);
      assertThat(run.downCounts().get(Fate.REFUSED)).isEqualTo(1);
      assertThat(run.downCounts().get(Fate.INVALID)).isEqualTo(1);
      assertThat(stored(here)).isEqualTo(idsOf(List.of(other)));
    }
  }

  /** The events of a game of one move. */
  private record Game(Event first, Event move, Event record) {
    static Game finished() {
      Signer referee = Keys.of("referee");
      Tags players =
          new Tags(
              List.of(
                  List.of("p", ALICE.pubkey().hex(), "", "white"),
                  List.of("p", Keys.of("bob").pubkey().hex(), "", "black")));
      Event first = referee.sign(1000, 5000, players, "gameisfound");
      Event move = ALICE.sign(1001, 5001, Tags.NONE, "e2e4");
      Tags plies =
          new Tags(
              List.of(
                  List.of("e", first.id().hex(), "", "root"), List.of("plies", move.id().hex())));
      return new Game(first, move, referee.sign(1003, 64, plies, "1. e4 1-0"));
    }

    List<Event> events() {
      return List.of(first, move, record);
    }
  }

  @Test
  void aFinishedGameIsStoredWhicheverOfItsEventsArrivesFirst() throws Exception {
    Game game = Game.finished();
    Event live = ALICE.sign(1002, 5001, Tags.NONE, "d2d4");
    here.close();
    here = new TestRelay(new ChessImports(ChessSettings.DEFAULT));
    try (TestRelay there = relayWith(game.events(), List.of(live))) {
      for (int again = 0; again < 2; again++) {
        SyncRun run = sync(there.uri(), Direction.DOWN, ALL);
        assertThat(stored(here)).isEqualTo(idsOf(game.events()));
        assertThat(run.downCounts().get(Fate.STORED)).isEqualTo(again == 0 ? 3 : 0);
      }
    }
  }

  @Test
  void theMovesOfAGameThatRanDuringASynchronizationArriveWithALaterOne() throws Exception {
    Game game = Game.finished();
    here.close();
    here = new TestRelay(new ChessImports(ChessSettings.DEFAULT));
    try (TestRelay there = relayWith(List.of(game.first(), game.move()));
        Client operator = there.connectOperator()) {
      assertThat(sync(there.uri(), Direction.DOWN, ALL).downCounts().get(Fate.REFUSED))
          .isPositive();
      assertThat(stored(here)).doesNotContain(game.move().id());
      operator.publishAccepted(game.record());
      sync(there.uri(), Direction.DOWN, ALL);
      assertThat(stored(here)).isEqualTo(idsOf(game.events()));
    }
  }

  @Test
  void messagesToTheUserWhoseKeyLogsInAreMoved() throws Exception {
    Tags toAlice = new Tags(List.of(List.of("p", ALICE.pubkey().hex())));
    Event message = Keys.of("bob").sign(1000, 4, toAlice, "secret");
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    // a login is valid for minutes
    try (TestRelay there = new TestRelay(LimitValues.DEFAULT, store, InstantSource.system());
        Client operator = there.connectOperator()) {
      operator.publishAccepted(message);
      sync(there.uri(), Direction.DOWN, ALL);
      assertThat(stored(here)).isEmpty();
      sync(there.uri(), Direction.DOWN, ALL, ALICE);
      assertThat(stored(here)).containsExactly(message.id());
    }
  }

  @Test
  void eventsThatAreTooLongForAMessageAreNotMoved() throws Exception {
    List<Event> ours = List.of(ALICE.sign(1000, 1, Tags.NONE, "o".repeat(MESSAGE_BYTES)));
    List<Event> theirs = List.of(ALICE.sign(1001, 1, Tags.NONE, "t".repeat(MESSAGE_BYTES)));
    storeHere(ours, notes(2000, 2, 1));
    try (TestRelay there = relayWith(theirs, notes(3000, 2, 1))) {
      SyncRun run = sync(there.uri(), Direction.BOTH, ALL);
      assertThat(run.downCounts().reasons()).containsOnlyKeys("too long for a message");
      assertThat(run.upCounts().reasons()).containsOnlyKeys("too long for a message");
      assertThat(stored(here)).containsAll(idsOf(notes(3000, 2, 1)));
      assertThat(stored(there)).containsAll(idsOf(notes(2000, 2, 1)));
    }
  }

  @Test
  void aSynchronizationThatIsInterruptedCountsWhatItHasStored() throws Exception {
    List<Event> theirs = notes(1000, 3000, 10);
    RelayPlace own = RelayPlace.of(here.uri()).withHeaders(TestRelay.operatorHeaders());
    try (TestRelay there = relayWith(theirs)) {
      SyncRun run;
      try (RelayPair pair = new RelayPair(own, RelayPlace.of(there.uri()), null, answerTimeout)) {
        run = new SyncRun(pair, Direction.DOWN, 0, refused, MoveCounts.MoveObserver.NONE);
        pair.observe(
            () -> {
              if (run.done() >= 100) {
                throw new RelayFailure("interrupted");
              }
            });
        assertThat(failureOf(() -> run.run(ALL, 0))).hasMessage("interrupted");
        run.awaitAnswers();
      }
      assertThat(run.downCounts().get(Fate.STORED)).isBetween(100L, 2999L);
      assertThat(stored(here)).hasSize((int) run.downCounts().get(Fate.STORED));
      SyncRun rest = sync(there.uri(), Direction.DOWN, ALL);
      assertThat(stored(here)).isEqualTo(idsOf(theirs));
      assertThat(rest.total()).isEqualTo(rest.done()).isPositive();
    }
  }

  // ---- faulty and hostile peers

  private static String answer(JsonNode message, String verb) {
    return "[\"" + verb + "\",\"" + message.path(1).asText() + "\"";
  }

  /** The answers of a relay without NIP-77 and without events, which answers to none. */
  static List<String> withoutEvents(JsonNode message) {
    return switch (message.path(0).asText()) {
      case "NEG-OPEN" -> List.of(answer(message, "NEG-ERR") + ",\"unsupported: NIP-77\"]");
      case "REQ" -> List.of(answer(message, "EOSE") + "]");
      default -> List.of();
    };
  }

  @Test
  void aPeerThatAnswersWithANoticeIsReadPageByPage() throws Exception {
    Event note = note(1000, 1);
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                switch (message.path(0).asText()) {
                  case "NEG-OPEN" -> List.of("[\"NOTICE\",\"unknown verb\"]");
                  case "REQ" ->
                      List.of(
                          answer(message, "EVENT") + "," + note + "]",
                          answer(message, "EOSE") + "]");
                  default -> List.of();
                })) {
      SyncRun run = sync(peer.url(), Direction.DOWN, ALL);
      assertThat(run.whyPages()).contains("unknown verb");
      assertThat(stored(here)).containsExactly(note.id());
    }
  }

  @Test
  void eventsToWhichAPeerAnswersWithANoticeAreRefusedEvents() throws Exception {
    answerTimeout = Duration.ofSeconds(4);
    storeHere(notes(1000, 3, 1));
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                switch (message.path(0).asText()) {
                  case "EVENT" -> List.of("[\"NOTICE\",\"no such kind\"]");
                  default -> withoutEvents(message);
                })) {
      SyncRun run = sync(peer.url(), Direction.UP, ALL);
      assertThat(run.upCounts().reasons()).containsExactly(entry("not answered: no such kind", 3L));
      assertThat(sync(peer.url(), Direction.UP, ALL).upCounts().get(Fate.LACKED)).isZero();
    }
  }

  @Test
  void bothConnectionsAreClosedWhenTheLoginFails() {
    try (ScriptedPeer peer = new ScriptedPeer(List.of("no JSON"), SyncRunTest::withoutEvents)) {
      assertThat(failureOf(() -> sync(peer.url(), Direction.UP, ALL, ALICE)))
          .hasMessageContaining("not JSON");
      await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> assertThat(here.metrics().read("connections")).isZero());
      await().atMost(Duration.ofMinutes(2)).until(() -> peer.clients() == 0);
    }
  }

  @Test
  @Timeout(300)
  void aPeerThatInventsEventsOfOneSecondWithoutEndIsNotReadWithoutEnd() throws Exception {
    AtomicInteger invented = new AtomicInteger();
    AtomicInteger requests = new AtomicInteger();
    String event = note(1000, 1).toString();
    String id = note(1000, 1).id().hex();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message -> {
              JsonNode filter = message.path(2);
              List<String> answers = new ArrayList<>();
              if (message.path(0).asText().equals("REQ") && filter.path("until").asLong() >= 1000) {
                requests.incrementAndGet();
                for (int i = 0; i < filter.path("limit").asInt(); i++) {
                  String other = event.replace(id, "%064x".formatted(invented.getAndIncrement()));
                  answers.add(answer(message, "EVENT") + "," + other + "]");
                }
              }
              answers.addAll(withoutEvents(message));
              return answers;
            })) {
      sync(peer.url(), Direction.UP, ALL);
      assertThat(requests).hasValue(3);
    }
  }

  @Test
  void eventsOfTheFarFutureAreNotReadPageByPage() throws Exception {
    List<JsonNode> filters = new CopyOnWriteArrayList<>();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message -> {
              if (message.path(0).asText().equals("REQ")) {
                filters.add(message.path(2));
              }
              return withoutEvents(message);
            })) {
      sync(peer.url(), Direction.DOWN, ALL);
      assertThat(filters.get(0).path("until").asLong())
          .isBetween(1L, Instant.now().getEpochSecond() + 86_400);
    }
  }

  @Test
  void aPeerThatAnswersToNoEventIsGivenUp() {
    answerTimeout = Duration.ofMillis(100);
    storeHere(notes(1000, 700, 10));
    try (ScriptedPeer peer = new ScriptedPeer(SyncRunTest::withoutEvents)) {
      assertThat(failureOf(() -> sync(peer.url(), Direction.UP, ALL)))
          .hasMessage(peer.url() + " does not answer.");
    }
  }

  @Test
  void aPeerThatRefusesLargeComparisonsIsComparedInWindows() throws Exception {
    List<String> windows = new CopyOnWriteArrayList<>();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message -> {
              if (!message.path(0).asText().equals("NEG-OPEN")) {
                return List.of();
              }
              windows.add(message.path(2).toString());
              return List.of(
                  windows.size() < 4
                      ? answer(message, "NEG-ERR") + ",\"blocked: this query is too big\"]"
                      : answer(message, "NEG-MSG") + ",\"61\"]");
            })) {
      SyncRun run = sync(peer.url(), Direction.BOTH, ALL);
      assertThat(run.whyPages()).isEmpty();
      assertThat(windows).hasSize(7).startsWith("{}");
      assertThat(windows.get(1)).contains("since").doesNotContain("until");
    }
  }

  /** Each window ends in the second before the next one. */
  @Test
  void eventsOfEachSecondAreMovedWhereAPeerComparesFewAtOnce() throws Exception {
    List<Event> notes = notes(1_000, 600, 1);
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    LimitValues few = TestLimits.builder().set(Limit.SYNC_ITEMS, 200).build();
    try (Transaction transaction = store.begin()) {
      notes.forEach(event -> transaction.append(event, Transaction.NEVER));
      transaction.commit();
    }
    try (TestRelay peer = new TestRelay(few, store)) {
      String filter = "{\"authors\":[\"" + ALICE.pubkey() + "\"],\"since\":900,\"until\":1700}";
      sync(peer.uri(), Direction.DOWN, SyncFilter.parse(filter));
      assertThat(stored(here)).isEqualTo(idsOf(notes));
    }
  }

  @Test
  void anErrorOfAPeerThatHasNip77EndsOneComparisonOnly() throws Exception {
    AtomicInteger comparisons = new AtomicInteger();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                switch (message.path(0).asText()) {
                  case "NEG-OPEN" -> {
                    String unequal = "61000001" + "ab".repeat(16);
                    String hex = comparisons.getAndIncrement() == 0 ? unequal : "61";
                    yield List.of(answer(message, "NEG-MSG") + ",\"" + hex + "\"]");
                  }
                  case "NEG-MSG" -> List.of(answer(message, "NEG-ERR") + ",\"error: busy\"]");
                  default -> List.of();
                })) {
      SyncRun run = sync(peer.url(), Direction.BOTH, ALL);
      assertThat(run.whyPages()).isEmpty();
      assertThat(comparisons).hasValue(2);
    }
  }

  @Test
  void aPeerThatLimitsTheRateOfComparisonsIsNotReadPageByPage() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message -> {
              requests.addAndGet(message.path(0).asText().equals("REQ") ? 1 : 0);
              return message.path(0).asText().equals("NEG-OPEN")
                  ? List.of(answer(message, "NEG-ERR") + ",\"rate-limited: later\"]")
                  : withoutEvents(message);
            })) {
      assertThat(failureOf(() -> sync(peer.url(), Direction.BOTH, ALL)))
          .hasMessageContaining("rate-limited: later");
      assertThat(requests).hasValue(0);
    }
  }

  @Test
  void aPeerThatRefusesEveryComparisonIsReadPageByPage() throws Exception {
    AtomicInteger comparisons = new AtomicInteger();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                switch (message.path(0).asText()) {
                  case "NEG-OPEN" -> {
                    comparisons.incrementAndGet();
                    yield List.of(answer(message, "NEG-ERR") + ",\"blocked: not you\"]");
                  }
                  case "REQ" -> List.of(answer(message, "EOSE") + "]");
                  default -> List.of();
                })) {
      SyncRun run = sync(peer.url(), Direction.BOTH, ALL);
      assertThat(run.whyPages()).contains("blocked: not you");
      assertThat(comparisons).hasValueLessThan(40);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "6", "xx", "620000", "61000003", "61800100", "6100000281"})
  void aMalformedMessageEndsTheSynchronization(String hex) {
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                message.path(0).asText().equals("NEG-OPEN")
                    ? List.of(answer(message, "NEG-MSG") + ",\"" + hex + "\"]")
                    : List.of())) {
      assertThat(failureOf(() -> sync(peer.url(), Direction.BOTH, ALL)))
          .hasMessageContaining(peer.url().toString());
    }
  }

  @Test
  void aPeerThatNeverAgreesIsGivenUp() {
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                message.path(0).asText().startsWith("NEG-")
                    ? List.of(answer(message, "NEG-MSG") + ",\"61000001" + "ab".repeat(16) + "\"]")
                    : List.of())) {
      assertThat(failureOf(() -> sync(peer.url(), Direction.BOTH, ALL)))
          .hasMessageContaining("does not come to an end");
    }
  }

  @Test
  void aPeerThatDoesNotServeWhatItClaimsToHaveIsGivenUp() {
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                switch (message.path(0).asText()) {
                  case "NEG-OPEN", "NEG-MSG" -> List.of(claims(message));
                  case "REQ" -> List.of(answer(message, "EOSE") + "]");
                  default -> List.of();
                })) {
      assertThat(failureOf(() -> sync(peer.url(), Direction.DOWN, ALL)))
          .hasMessageContaining("does not serve the events");
    }
  }

  /** Thousands of random ids in the first second, and something else in all later ones. */
  private static String claims(JsonNode message) {
    StringBuilder hex = new StringBuilder("610200028f50"); // up to second 1: 2,000 ids
    Random random = new Random();
    for (int i = 0; i < 2000 * 4; i++) {
      hex.append(String.format("%016x", random.nextLong()));
    }
    return answer(message, "NEG-MSG") + ",\"" + hex + "000001" + "ab".repeat(16) + "\"]";
  }

  @Test
  @Timeout(300)
  void aPeerThatListsTheSameEventsAgainAndAgainIsGivenUp() {
    StringBuilder hex = new StringBuilder("6102000208"); // up to second 1: 8 ids
    for (int i = 1; i <= 8; i++) {
      hex.append(String.format("%064x", i));
    }
    String same = hex + "000001" + "ab".repeat(16);
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                message.path(0).asText().startsWith("NEG-")
                    ? List.of(answer(message, "NEG-MSG") + ",\"" + same + "\"]")
                    : List.of())) {
      assertThat(failureOf(() -> sync(peer.url(), Direction.UP, ALL)))
          .hasMessageContaining("does not come to an end");
    }
  }

  @Test
  @Timeout(300)
  void aPeerThatSendsNoticesInsteadOfEventsIsGivenUp() throws Exception {
    answerTimeout = Duration.ofSeconds(1);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message ->
                message.path(0).asText().startsWith("NEG-")
                    ? List.of(claims(message))
                    : List.of())) {
      timer.scheduleAtFixedRate(
          () -> peer.send("[\"NOTICE\",\"patience\"]"), 0, 100, TimeUnit.MILLISECONDS);
      assertThat(failureOf(() -> sync(peer.url(), Direction.DOWN, ALL)))
          .hasMessage(peer.url() + " does not answer.");
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  void aPeerThatSendsOtherEventsThanRequestedIsGivenUp() {
    List<Event> others = notes(1000, 1200, 1);
    try (ScriptedPeer peer =
        new ScriptedPeer(
            message -> {
              switch (message.path(0).asText()) {
                case "NEG-OPEN", "NEG-MSG" -> {
                  return List.of(claims(message));
                }
                case "REQ" -> {
                  List<String> answers = new ArrayList<>();
                  others.forEach(
                      event -> answers.add(answer(message, "EVENT") + "," + event + "]"));
                  return answers;
                }
                default -> {
                  return List.of();
                }
              }
            })) {
      assertThat(failureOf(() -> sync(peer.url(), Direction.DOWN, ALL)))
          .hasMessageContaining("not requested");
      assertThat(stored(here)).isEmpty();
    }
  }
}
