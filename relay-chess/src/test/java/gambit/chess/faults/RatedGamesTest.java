package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.Rating;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.StoredRatings.PlayerRatings;
import gambit.core.ServedEvents;
import gambit.core.feature.Row;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The records of rated games are one chain, in which each rating follows from those before. */
class RatedGamesTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final Filter RECORDS =
      new Filter(null, null, Set.of(64), Map.of(), null, null, null);
  private static final Filter HEADS =
      new Filter(null, null, Set.of(30064), Map.of(), null, null, null);
  private static final List<String> RATED = List.of("rated", "true");

  private EventStore store = new MemoryEventStore(64 << 20);
  private TestRelay relay = new TestRelay(store, START, chess());

  private static ChessFeature chess() {
    return new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE);
  }

  private void restart(EventStore next) {
    Instant start = relay.time().instant().plusSeconds(60);
    relay.close();
    store = next;
    relay = new TestRelay(store, start, chess());
  }

  @AfterEach
  void end() {
    relay.close();
  }

  private List<Event> stored(Filter filter) {
    List<Event> found = new ArrayList<>();
    new ServedEvents(store, relay.time()).forEach(filter, found::add);
    return found;
  }

  private List<RatedRecord> rated() {
    return stored(RECORDS).stream()
        .filter(RatedRecord::isRated)
        .map(RatedRecord::of)
        .sorted(Comparator.comparingLong(RatedRecord::seq))
        .toList();
  }

  /** Plays two moves of a rated game by an invite; Black resigns. */
  private void play(String white, String black, String time) {
    play(white, black, time, "e2e4", "e7e5");
  }

  private void play(String white, String black, String time, String... moves) {
    try (TestPlayer whites = new TestPlayer(white, relay);
        TestPlayer blacks = new TestPlayer(black, relay)) {
      Event invite =
          whites.sign(
              5000,
              "invite",
              RATED,
              List.of("p", blacks.pubkey()),
              List.of("time", time),
              List.of("color", "white"));
      assertThat(whites.answerTo(invite)).isEqualTo("true");
      assertThat(blacks.say(5000, "accept", List.of("e", invite.id().hex()))).isEqualTo("true");
      List<String> game = List.of("e", whites.event("gameisfound").get("id").asText());
      for (int ply = 0; ply < moves.length; ply++) {
        TestPlayer mover = ply % 2 == 0 ? whites : blacks;
        assertThat(mover.say(5001, moves[ply], game)).isEqualTo("true");
      }
      assertThat(blacks.say(5003, "resign", game)).isEqualTo("true resigned");
    }
  }

  private void assertChain(int length) {
    assertThat(RecordedChain.check(rated(), store)).isEqualTo(length);
  }

  @Test
  void recordsAreNumberedAndLinkedAcrossCategoriesAndRestarts() {
    play("alice", "bob", "180");
    play("bob", "carol", "300+3");
    restart(store);
    play("alice", "bob", "180");
    play("alice", "carol", "1/86400");
    assertChain(4);
    assertThat(rated())
        .extracting(it -> it.category().word())
        .containsExactly("blitz", "blitz", "blitz", "correspondence");
    assertThat(stored(HEADS)).hasSize(1);
    assertThat(stored(HEADS).get(0).tags().first("e")).contains(rated().get(0).id().hex());
    assertThat(stored(RECORDS))
        .extracting(Event::content)
        .filteredOn(pgn -> pgn.startsWith("[Event \"Rated correspondence game\"]"))
        .hasSize(1);
  }

  @Test
  void gameThatOnlyOneSideHasMovedHasAnOrdinaryRecord() {
    play("alice", "bob", "180", "e2e4");
    assertThat(stored(RECORDS)).hasSize(1);
    assertThat(rated()).isEmpty();
    assertThat(stored(HEADS)).isEmpty();
  }

  @Test
  void tenGamesOfAPairCountOnADayWhoeverHasWhiteAndInEachCategory() {
    for (int game = 0; game < 11; game++) {
      play(
          game % 2 == 0 ? "alice" : "bob",
          game % 2 == 0 ? "bob" : "alice",
          game % 3 == 0 ? "60" : "180");
    }
    play("alice", "carol", "180");
    assertThat(stored(RECORDS)).hasSize(12);
    assertChain(11);
    restart(store);
    play("alice", "bob", "60");
    assertChain(11);
    relay.time().advance(Duration.ofHours(12));
    play("alice", "bob", "60");
    assertChain(12);
  }

  @Test
  void clockThatIsSetBackByADayGivesNoMoreGames() {
    for (int game = 0; game < 10; game++) {
      play("alice", "bob", "180");
    }
    relay.close();
    relay = new TestRelay(store, START.minus(Duration.ofDays(1)), chess());
    play("alice", "bob", "180");
    play("alice", "carol", "180");
    assertThat(stored(RECORDS)).hasSize(12);
    assertChain(11);
  }

  @Test
  void headIsSignedADayAfterTheLastOneWithoutAFurtherGame() {
    play("alice", "bob", "180");
    play("alice", "bob", "180");
    assertThat(stored(HEADS)).hasSize(1);
    relay.time().advance(Duration.ofHours(25));
    try (TestPlayer observer = new TestPlayer("carol", relay)) {
      observer.follows("{\"kinds\":[30064]}");
      while (stored(HEADS).size() < 2) {
        observer.event("");
      }
    }
    assertThat(stored(HEADS).get(0).tags().first("e")).contains(rated().get(1).id().hex());
  }

  @Test
  void importedRecordsAreTakenOverAndTheChainContinues() throws IOException {
    play("alice", "bob", "180");
    play("carol", "bob", "180");
    play("alice", "carol", "60");
    restart(copy(stored(new Filter(null, null, null, Map.of(), null, null, null))));
    awaitLeaderboards();
    play("alice", "bob", "180");
    assertChain(4);
  }

  @Test
  void ratedGamesAreOffWhileAnImportedChainHasAGap() throws IOException {
    play("alice", "bob", "180");
    play("carol", "bob", "180");
    play("alice", "carol", "60");
    List<Event> incomplete =
        stored(RECORDS).stream()
            .filter(event -> !event.tags().first("seq").orElseThrow().equals("2"))
            .toList();
    restart(copy(incomplete));
    try (TestPlayer alice = new TestPlayer("alice", relay)) {
      assertThat(alice.say(5000, "connect", RATED))
          .startsWith("false error: rated games are off: the relay's operator has to import");
      assertThat(alice.say(5000, "connect")).isEqualTo("true");
    }
  }

  @Test
  void ratedRecordsOfAnotherRelayAreNotCounted() throws IOException {
    play("alice", "bob", "180");
    Event record = stored(RECORDS).get(0);
    Event others =
        Keys.of("other relay").sign(record.createdAt(), 64, record.tags(), record.content());
    restart(copy(List.of(others)));
    play("alice", "bob", "180");
    assertThat(rated()).hasSize(2).extracting(RatedRecord::seq).containsOnly(1L);
  }

  private static EventStore copy(List<Event> events) throws IOException {
    EventStore copy = new MemoryEventStore(64 << 20);
    try (Transaction transaction = copy.begin()) {
      events.forEach(event -> transaction.append(event, Transaction.NEVER));
      transaction.commit();
    }
    return copy;
  }

  @Test
  void leaderboardHasPlayersWithSmallDeviationsBestFirst() throws IOException {
    long now = relay.now();
    restart(
        rated(
            Map.of(
                "alice", new Rating(180_049, 7_400, 60_000, 200, now),
                "bob", new Rating(190_050, 5_000, 60_000, 12, now),
                "carol", new Rating(250_000, 7_600, 60_000, 30, now),
                "rested", new Rating(250_000, 7_400, 60_000, 30, now - 100 * 86_400))));
    try (TestPlayer observer = new TestPlayer("observer", relay)) {
      observer.follows(
          "{\"kinds\":[20307],\"authors\":[\"%s\"]}".formatted(relay.signer().pubkey().hex()));
      assertThat(observer.events()).hasSize(5);
      assertThat(board(observer))
          .containsExactly(tag("bob", "1901", "50", "12"), tag("alice", "1800", "74", "200"));
      play("bob", "alice", "180");
      relay.time().awaitUpdates(2); // the lobby and the board
      relay.time().advance(Duration.ofSeconds(11));
      List<List<String>> changed = board(observer);
      while (!changed.get(0).get(4).equals("13")) { // published on the chess lane
        changed = board(observer);
      }
      assertThat(changed).hasSize(2);
      assertThat(changed.get(0)).startsWith("rating", Keys.of("bob").pubkey().hex()).endsWith("13");
    }
  }

  @Test
  void leaderboardIsPublishedThoughGamesEndMoreOftenThanItRests() throws IOException {
    Rating rating = new Rating(190_000, 5_000, 60_000, 12, relay.now());
    restart(rated(Map.of("bob", rating)));
    try (TestPlayer observer = new TestPlayer("observer", relay)) {
      observer.follows("{\"kinds\":[20307]}");
      for (int i = 0; i < 4; i++) {
        play("bob", "alice", "180");
        observer.events(); // after the end is settled
        relay.time().advance(Duration.ofSeconds(5));
      }
      for (int i = 0; i < 100 && board(observer).get(0).get(4).equals("12"); i++) {
        observer.events();
      }
      assertThat(board(observer).get(0).get(4)).isNotEqualTo("12");
    }
  }

  @Test
  void importedRecordsOfOneSecondAreMoreThanAPage() throws IOException {
    for (int game = 0; game < 101; game++) {
      play("player " + game, "opponent " + game, "180");
    }
    restart(copy(stored(RECORDS)));
    awaitLeaderboards();
    play("alice", "bob", "180");
    assertChain(102);
  }

  /** Waits until imported records are taken over, which precedes the leaderboards. */
  private void awaitLeaderboards() {
    try (TestPlayer observer = new TestPlayer("observer", relay)) {
      observer.follows("{\"kinds\":[20307]}").event("");
    }
  }

  /** The latest leaderboard of blitz. */
  private static List<List<String>> board(TestPlayer observer) {
    List<List<String>> board = new ArrayList<>();
    for (JsonNode event : observer.events()) {
      if (TestPlayer.tag(event, "d").equals("blitz")) {
        board.clear();
        for (JsonNode tag : event.get("tags")) {
          List<String> elements = new ArrayList<>();
          tag.forEach(element -> elements.add(element.asText()));
          board.add(elements);
        }
        board.remove(0);
      }
    }
    return board;
  }

  private static List<String> tag(String player, String rating, String deviation, String games) {
    return List.of("rating", Keys.of(player).pubkey().hex(), rating, deviation, games);
  }

  private static EventStore rated(Map<String, Rating> blitz) throws IOException {
    EventStore store = new MemoryEventStore(64 << 20);
    try (Transaction transaction = store.begin()) {
      blitz.forEach(
          (name, rating) -> {
            Row row = PlayerRatings.NONE.with(Category.BLITZ, rating).row(Keys.of(name).pubkey());
            transaction.putRow(row.table(), row.key(), row.value());
          });
      transaction.commit();
    }
    return store;
  }
}
