package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.PairingQueue.Pair;
import org.junit.jupiter.api.Test;

class PairingQueueTest {

  private final PairingQueue<String> queue = new PairingQueue<>();

  @Test
  void firstTwoPlayersArePairedInOrderOfArrival() {
    search("ann", "bob", "cid");
    assertThat(queue.pair(0)).contains(new Pair<>("ann", "bob"));
    assertThat(queue.pair(0)).isEmpty();
    assertThat(queue.contains("ann")).isFalse();
    assertThat(queue.contains("cid")).isTrue();
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void singlePlayerIsNotPaired() {
    assertThat(queue.pair(0)).isEmpty();
    search("ann");
    assertThat(queue.pair(0)).isEmpty();
    assertThat(queue.nextRetry(0)).isEmpty();
  }

  @Test
  void repeatedSearchKeepsItsPlaceAndIsNotPairedWithItself() {
    assertThat(queue.add("ann")).isTrue();
    assertThat(queue.add("ann")).isFalse();
    assertThat(queue.pair(1)).isEmpty();
    search("bob");
    queue.add("ann");
    assertThat(queue.pair(2)).contains(new Pair<>("ann", "bob"));
  }

  @Test
  void playerWhoLeavesIsNotPaired() {
    search("ann", "bob", "cid", "dan");
    assertThat(queue.remove("bob")).isTrue();
    assertThat(queue.remove("bob")).isFalse();
    assertThat(queue.remove("dan")).isTrue();
    assertThat(queue.pair(0)).contains(new Pair<>("ann", "cid"));
    assertThat(queue.size()).isZero();
  }

  @Test
  void returningPlayerGoesToTheFront() {
    search("ann");
    queue.addFirst("bob", "zoe", 10);
    search("cid");
    assertThat(queue.pair(0)).contains(new Pair<>("bob", "ann"));
  }

  @Test
  void searchingPlayerWhoReturnsMovesToTheFront() {
    search("ann", "bob", "cid");
    queue.addFirst("cid", "ann", 10);
    assertThat(queue.size()).isEqualTo(3);
    assertThat(queue.pair(0)).contains(new Pair<>("cid", "bob"));
  }

  @Test
  void playersWhoMustNotMeetWaitUntilTheyMay() {
    queue.addFirst("bob", "ann", 10);
    search("ann");
    assertThat(queue.pair(9)).isEmpty();
    assertThat(queue.nextRetry(9)).hasValue(10);
    assertThat(queue.pair(10)).contains(new Pair<>("bob", "ann"));
    assertThat(queue.nextRetry(10)).isEmpty();
  }

  @Test
  void mutualAvoidanceLastsTheLongerTime() {
    queue.addFirst("bob", "ann", 10);
    queue.addFirst("ann", "bob", 20);
    assertThat(queue.nextRetry(0)).hasValue(20);
    assertThat(queue.pair(19)).isEmpty();
    assertThat(queue.pair(20)).contains(new Pair<>("ann", "bob"));
  }

  @Test
  void avoidanceDoesNotDelayOtherPlayers() {
    queue.addFirst("bob", "ann", 10);
    search("ann", "cid", "dan");
    assertThat(queue.pair(0)).contains(new Pair<>("bob", "cid"));
    assertThat(queue.pair(0)).contains(new Pair<>("ann", "dan"));
  }

  @Test
  void nextTwoArePairedIfTheFirstMayMeetNobody() {
    search("cid");
    queue.addFirst("bob", "ann", 10);
    search("ann");
    queue.remove("cid");
    queue.addFirst("dan", "ann", 10);
    assertThat(queue.pair(0)).contains(new Pair<>("dan", "bob"));
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void avoidanceEndsWithTheSearch() {
    queue.addFirst("bob", "ann", 10);
    queue.remove("bob");
    search("ann", "bob");
    assertThat(queue.pair(0)).contains(new Pair<>("ann", "bob"));
  }

  @Test
  void noAlarmIsNeededWhenTwoMayMeetNow() {
    search("ann", "bob");
    assertThat(queue.nextRetry(7)).hasValue(7);
  }

  private void search(String... players) {
    for (String player : players) {
      queue.add(player);
    }
  }
}
