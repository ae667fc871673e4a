package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.chess.clients.TestPlayer;
import gambit.chess.rating.RatedRecord;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.StoredRatings;
import gambit.core.ServedEvents;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever happens to the commits of rated ends, each record is one link of a chain, or none. */
class RatedEndFaultsTest {
  private static final String FAILED = "false error: the event could not be stored";
  private static final Filter RECORDS =
      new Filter(null, null, Set.of(64), Map.of(), null, null, null);

  private final FaultyStore store = new FaultyStore();
  private final TestRelay relay =
      new TestRelay(
          LimitValues.DEFAULT,
          store,
          new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  private final Map<String, TestPlayer> players = new HashMap<>();

  @AfterEach
  void end() {
    players.values().forEach(TestPlayer::close);
    relay.close();
  }

  private TestPlayer player(String name) {
    return players.computeIfAbsent(name, it -> new TestPlayer(it, relay));
  }

  /** A rated game after a move of each side. */
  private List<String> begin(String white, String black, String time) {
    TestPlayer whites = player(white);
    TestPlayer blacks = player(black);
    Event invite =
        whites.sign(
            5000,
            "invite",
            List.of("rated", "true"),
            List.of("p", blacks.pubkey()),
            List.of("time", time),
            List.of("color", "white"));
    assertThat(whites.answerTo(invite)).isEqualTo("true");
    assertThat(blacks.say(5000, "accept", List.of("e", invite.id().hex()))).isEqualTo("true");
    List<String> game = List.of("e", whites.event("gameisfound").get("id").asText());
    assertThat(whites.say(5001, "e2e4", game)).isEqualTo("true");
    assertThat(blacks.say(5001, "e7e5", game)).isEqualTo("true");
    return game;
  }

  private void resign(String player, List<String> game) {
    assertThat(player(player).say(5003, "resign", game)).isEqualTo("true resigned");
  }

  private List<Event> records() {
    List<Event> found = new ArrayList<>();
    new ServedEvents(store, relay.time()).forEach(RECORDS, found::add);
    return found;
  }

  /** Asserts that the rated records are one chain, whose players are these losers of the games. */
  private void assertChainOfDefeats(String... losers) {
    List<RatedRecord> chain =
        records().stream()
            .filter(RatedRecord::isRated)
            .map(RatedRecord::of)
            .sorted(Comparator.comparingLong(RatedRecord::seq))
            .toList();
    assertThat(RecordedChain.check(chain, store)).isEqualTo(losers.length);
    for (int i = 0; i < losers.length; i++) {
      assertThat(chain.get(i).black()).isEqualTo(Keys.of(losers[i]).pubkey());
    }
  }

  private static boolean isRecordOf(List<String> game, Event event) {
    return event.kind() == 64 && event.tags().first("e").orElseThrow().equals(game.get(1));
  }

  /** Time passes until something has happened. */
  private void passTime(BooleanSupplier happened) {
    await()
        .until(
            () -> {
              relay.time().advance(Duration.ofSeconds(20));
              return happened.getAsBoolean();
            });
  }

  @Test
  void endWhoseCommitFailsIsOneLinkWhenItIsTriedAgain() {
    List<String> game = begin("alice", "bob", "180");
    store.failCommitsOf(event -> event.kind() == 64);
    Event resignation = player("bob").sign(5003, "resign", game);
    assertThat(player("bob").answerTo(resignation)).isEqualTo(FAILED);
    assertChainOfDefeats();
    store.failCommitsOf(event -> false);
    assertThat(player("bob").answerTo(resignation)).isEqualTo("true resigned");
    assertChainOfDefeats("bob");
    List<String> second = begin("alice", "bob", "180");
    assertThat(player("alice").say(5001, "g1f3", second)).isEqualTo("true");
    AtomicInteger attempts = new AtomicInteger();
    store.failCommitsOf(event -> event.kind() == 64 && attempts.incrementAndGet() > 0);
    passTime(() -> attempts.get() > 1); // Black's time is up
    assertChainOfDefeats("bob");
    store.failCommitsOf(event -> false);
    passTime(() -> records().size() == 2);
    assertChainOfDefeats("bob", "bob");
  }

  @Test
  void endWithoutRoomForItsRecordChangesNoRatingAndTheChainContinuesWithTheNextGame() {
    resign("bob", begin("alice", "bob", "180"));
    List<String> game = begin("alice", "bob", "180");
    Map<String, byte[]> before = store.rows(StoredRatings.TABLE);
    store.setFull(true);
    assertThat(player("bob").say(5003, "resign", game)).isEqualTo("false error: store is full");
    passTime(() -> relay.metrics().read("chess_games") == 0); // White's time is up
    assertThat(store.rows(StoredRatings.TABLE)).containsExactlyInAnyOrderEntriesOf(before);
    assertThat(records()).hasSize(1);
    store.setFull(false);
    resign("bob", begin("alice", "bob", "180"));
    assertChainOfDefeats("bob", "bob");
  }

  /** One resignation whose commit the writer has begun before those of others. */
  private void endTogether(List<String> resigning, List<List<String>> games, Runnable then) {
    store.blockCommits();
    try (TestPlayer writer = new TestPlayer("writer", relay)) {
      Event note = writer.sign(1, "a commit of its own");
      writer.socket().publish(note);
      await().until(store::hasBlockedCommit);
      for (int i = 0; i < games.size(); i++) {
        TestPlayer player = player(resigning.get(i));
        player.socket().publish(player.sign(5003, "resign", games.get(i)));
        Event unbound =
            Keys.of("stranger")
                .sign(relay.now(), 5003, new Tags(List.of(List.of("nonce", "" + i))), "resign");
        assertThat(player.answerTo(unbound)).isEqualTo("false auth-required: send connect first");
      }
      then.run();
      store.unblockCommits();
      assertThat(writer.answerOf(note)).isEqualTo("true");
    }
  }

  @Test
  void oneOfSeveralEndsOfABatchFailsAndTheOthersAreLinksOfTheChain() {
    List<List<String>> games =
        List.of(
            begin("alice", "bob", "180"),
            begin("carol", "dave", "180"),
            begin("erin", "frank", "60"));
    endTogether(
        List.of("bob", "dave", "frank"),
        games,
        () ->
            store.failCommitsOf(
                event -> {
                  if (isRecordOf(games.get(1), event)) {
                    throw new IllegalStateException("on purpose");
                  }
                  return false;
                }));
    player("bob").event("gamelost");
    player("frank").event("gamelost");
    assertThat(records()).hasSize(2);
    assertChainOfDefeats("bob", "frank");
    store.failCommitsOf(event -> false);
    resign("dave", games.get(1));
    assertChainOfDefeats("bob", "frank", "dave");
  }

  @Test
  void bothGamesOfAPlayerThatEndInOneBatchChangeTheRatings() {
    List<List<String>> games =
        List.of(
            begin("alice", "bob", "180"),
            begin("alice", "carol", "1/86400"),
            begin("alice", "dave", "1/86400"));
    endTogether(List.of("bob", "carol", "dave"), games, () -> {});
    player("dave").event("gamelost");
    assertChainOfDefeats("bob", "carol", "dave");
  }
}
