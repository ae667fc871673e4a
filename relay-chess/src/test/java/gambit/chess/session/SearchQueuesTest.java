package gambit.chess.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.TimeControl;
import gambit.chess.session.SearchQueues.SearchTerms;
import gambit.chess.session.play.ColourNotifications;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.testkit.Keys;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SearchQueuesTest {
  private static final EventId EVENT = new EventId(new byte[32]);

  private static final TimeControl TIME = TimeControl.TEN_MINUTES_A_MOVE;
  private static final SearchTerms CASUAL = new SearchTerms(TIME, false);

  private final SearchQueues queue = new SearchQueues();

  @Test
  void firstTwoPlayersArePairedInOrderOfArrival() {
    search("ann", "bob", "cid");
    assertThat(pair(0)).contains("ann bob");
    assertThat(pair(0)).isEmpty();
    assertThat(queue.contains(key("ann"))).isFalse();
    assertThat(queue.contains(key("cid"))).isTrue();
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void singlePlayerIsNotPaired() {
    assertThat(pair(0)).isEmpty();
    search("ann");
    assertThat(pair(0)).isEmpty();
    assertThat(nextRetry(0)).isEmpty();
  }

  @Test
  void playerWhoLeavesIsNotPaired() {
    search("ann", "bob", "cid", "dan");
    assertThat(queue.remove(key("bob"))).isNotNull();
    assertThat(queue.remove(key("bob"))).isNull();
    assertThat(queue.remove(key("dan"))).isNotNull();
    assertThat(pair(0)).contains("ann cid");
    assertThat(queue.size()).isZero();
  }

  @Test
  void returningPlayerGoesToTheFront() {
    search("ann");
    searchFirst("bob", "zoe", 10);
    search("cid");
    assertThat(pair(0)).contains("bob ann");
  }

  @Test
  void searchingPlayerWhoReturnsMovesToTheFront() {
    search("ann", "bob", "cid");
    searchFirst("cid", "ann", 10);
    assertThat(queue.size()).isEqualTo(3);
    assertThat(pair(0)).contains("cid bob");
  }

  @Test
  void playersWhoMustNotMeetWaitUntilTheyMay() {
    searchFirst("bob", "ann", 10);
    search("ann");
    assertThat(pair(9)).isEmpty();
    assertThat(nextRetry(9)).hasValue(10);
    assertThat(pair(10)).contains("bob ann");
    assertThat(nextRetry(10)).isEmpty();
  }

  @Test
  void mutualAvoidanceLastsTheLongerTime() {
    searchFirst("bob", "ann", 10);
    searchFirst("ann", "bob", 20);
    assertThat(nextRetry(0)).hasValue(20);
    assertThat(pair(19)).isEmpty();
    assertThat(pair(20)).contains("ann bob");
  }

  @Test
  void avoidanceDoesNotDelayOtherPlayers() {
    searchFirst("bob", "ann", 10);
    search("ann", "cid", "dan");
    assertThat(pair(0)).contains("bob cid");
    assertThat(pair(0)).contains("ann dan");
  }

  @Test
  void nextTwoArePairedIfTheFirstMayMeetNobody() {
    search("cid");
    searchFirst("bob", "ann", 10);
    search("ann");
    queue.remove(key("cid"));
    searchFirst("dan", "ann", 10);
    assertThat(pair(0)).contains("dan bob");
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void avoidanceEndsWithTheSearch() {
    searchFirst("bob", "ann", 10);
    queue.remove(key("bob"));
    search("ann", "bob");
    assertThat(pair(0)).contains("ann bob");
  }

  @Test
  void noAlarmIsNeededWhenTwoMayMeetNow() {
    search("ann", "bob");
    assertThat(nextRetry(7)).hasValue(7);
  }

  @Test
  void playersOfDifferentTimeControlsAreNotPaired() {
    search("ann");
    queue.add(casual(key("bob"), TimeControl.UNTIMED, null, 0));
    assertThat(pair(0)).isEmpty();
    assertThat(queue.longest(1)).hasSize(1);
    assertThat(queue.longest(2)).hasSize(2);
    queue.remove(key("bob"));
    assertThat(queue.longest(2)).as("an empty queue is gone").hasSize(1);
  }

  private void search(String... players) {
    for (String player : players) {
      queue.add(casual(key(player), TIME, null, 0));
    }
  }

  private void searchFirst(String player, String notWith, long until) {
    queue.addFirst(casual(key(player), TIME, key(notWith), until));
  }

  private static SearchQueues.Search casual(
      PubKey player, TimeControl time, @Nullable PubKey notWith, long until) {
    SearchTerms terms = new SearchTerms(time, false);
    return new SearchQueues.Search(
        player, EVENT, terms, new ColourNotifications(), 0, 0, notWith, until);
  }

  private OptionalLong nextRetry(long now) {
    return queue.nextRetry(CASUAL, now);
  }

  private Optional<String> pair(long now) {
    return queue.pair(CASUAL, now).map(it -> name(it.first()) + ' ' + name(it.second()));
  }

  private static String name(SearchQueues.Search search) {
    return Stream.of("ann", "bob", "cid", "dan")
        .filter(name -> key(name).equals(search.player()))
        .findFirst()
        .orElseThrow();
  }

  private static PubKey key(String player) {
    return Keys.of(player).pubkey();
  }
}
