package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.clients.TestPlayer;
import gambit.chess.rating.Lot;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.Lots;
import gambit.core.ServedEvents;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.TestRelay;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Colours by chains of lots that are soon spent. */
class LotsTest {
  private static final int LENGTH = 3;

  private final FaultyStore store = new FaultyStore();
  private TestRelay relay = relay();
  private int players;

  private static ChessFeature chess() {
    return new ChessFeature(
        ChessSettings.DEFAULT,
        new Lots.Source() {
          @Override
          public byte[] value(byte[] next, EventId first, EventId second) {
            return next;
          }

          @Override
          public int length() {
            return LENGTH;
          }
        });
  }

  private TestRelay relay() {
    return new TestRelay(LimitValues.DEFAULT, store, chess());
  }

  @AfterEach
  void end() {
    relay.close();
  }

  /** Two new players search; returns whether they were paired. */
  private boolean pair() {
    try (TestPlayer one = new TestPlayer("player " + players++, relay);
        TestPlayer other = new TestPlayer("player " + players++, relay)) {
      assertThat(one.say(5000, "connect")).isEqualTo("true");
      Event connect = other.sign(5000, "connect");
      assertThat(other.answerTo(connect)).isEqualTo("true");
      String answer = other.answerOf(connect);
      return answer.equals("true white") || answer.equals("true black");
    }
  }

  private List<Event> stored(int kind) {
    List<Event> found = new ArrayList<>();
    Filter filter = new Filter(null, null, Set.of(kind), Map.of(), null, null, null);
    new ServedEvents(store, relay.time()).forEach(filter, found::add);
    return found;
  }

  private List<Lot> lots() {
    return stored(5000).stream()
        .flatMap(event -> event.tags().named(Lot.TAG))
        .map(tag -> Lot.parse(tag).orElseThrow())
        .sorted(Comparator.comparingInt(Lot::chain).thenComparingInt(Lot::position))
        .toList();
  }

  private String ofChain(int chain, String tag) {
    return stored(30065).stream()
        .filter(event -> event.tags().first("d").orElseThrow().equals("" + chain))
        .findFirst()
        .flatMap(event -> event.tags().first(tag))
        .orElse("none");
  }

  /** Asserts that so many games were drawn without a gap, each by its chain. */
  private void assertDrawn(int games) {
    List<Lot> lots = lots();
    assertThat(lots).hasSize(games);
    for (int i = 0; i < games; i++) {
      Lot lot = lots.get(i);
      assertThat(lot.chain()).isEqualTo(1 + i / LENGTH);
      assertThat(lot.position()).isEqualTo(1 + i % LENGTH);
      assertThat(lot.isFollowed()).isTrue();
      assertThat(lot.isOfChain(ofChain(lot.chain(), "lot"))).isTrue();
    }
  }

  @Test
  void spentChainPassesIntoTheNextOneWhichWasPublishedBeforeItsLastValue() throws Exception {
    assertThat(stored(30065)).isEmpty();
    for (int game = 1; game <= 2 * LENGTH + 1; game++) {
      assertThat(pair()).isTrue();
      assertThat(stored(30065)).hasSize(1 + (game + 1) / LENGTH);
    }
    assertDrawn(2 * LENGTH + 1);
    assertThat(ofChain(1, "after")).isEqualTo("none");
    assertThat(ofChain(2, "after")).isEqualTo(hash(lots().get(LENGTH - 1).value(), 2));
    assertThat(ofChain(3, "after")).isEqualTo(hash(lots().get(2 * LENGTH - 1).value(), 3));
  }

  private String hash(String secret, int next) throws NoSuchAlgorithmException {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    sha256.update(HexFormat.of().parseHex(secret));
    sha256.update(HexFormat.of().parseHex(ofChain(next, "lot")));
    return HexFormat.of().formatHex(sha256.digest());
  }

  @Test
  void failedCommitsAndRestartsLoseNoPositionAndRepeatNone() {
    int drawn = 0;
    for (int i = 0; i < LENGTH; i++) {
      store.failCommitsOf(event -> event.content().equals("gameisfound"));
      assertThat(pair()).isFalse();
      store.failCommitsOf(event -> false);
      store.setFull(true);
      assertThat(pair()).isFalse();
      store.setFull(false);
      assertThat(pair()).isTrue();
      assertDrawn(++drawn);
      relay.close();
      relay = relay();
      assertThat(pair()).isTrue();
      assertDrawn(++drawn);
    }
  }

  @Test
  void relayWhoseFirstChainCouldNotBeStoredPublishesItBeforeItPairs() {
    relay.close();
    FaultyStore empty = new FaultyStore();
    empty.failCommitsOf(event -> event.kind() == 30065);
    try (TestRelay other = new TestRelay(LimitValues.DEFAULT, empty, chess());
        TestPlayer alice = new TestPlayer("alice", other);
        TestPlayer bob = new TestPlayer("bob", other);
        TestPlayer carol = new TestPlayer("carol", other);
        TestPlayer dave = new TestPlayer("dave", other)) {
      alice.say(5000, "connect");
      bob.say(5000, "connect");
      empty.failCommitsOf(event -> false);
      Event again = carol.sign(5000, "connect");
      assertThat(carol.answerTo(again)).isEqualTo("true");
      dave.say(5000, "connect"); // an opponent, if nobody waits
      assertThat(carol.answerOf(again)).startsWith("true ");
    }
    relay = relay();
  }
}
