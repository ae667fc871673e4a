package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LobbyTest {

  private final Lobby<String> lobby = new Lobby<>();

  @Test
  void theFirstTwoArePairedInTheOrderOfTheirComing() {
    search("ann", "bob", "cid");
    assertThat(lobby.pair(0)).contains(new Pair<>("ann", "bob"));
    assertThat(lobby.pair(0)).isEmpty();
    assertThat(lobby.isSearching("ann")).isFalse();
    assertThat(lobby.isSearching("cid")).isTrue();
    assertThat(lobby.size()).isEqualTo(1);
  }

  @Test
  void nobodyIsPairedAlone() {
    assertThat(lobby.pair(0)).isEmpty();
    search("ann");
    assertThat(lobby.pair(0)).isEmpty();
    assertThat(lobby.nextRetry(0)).isEmpty();
  }

  @Test
  void whoSearchesTwiceKeepsThePlaceAndIsNotPairedWithItself() {
    assertThat(lobby.search("ann")).isTrue();
    assertThat(lobby.search("ann")).isFalse();
    assertThat(lobby.pair(1)).isEmpty();
    search("bob");
    lobby.search("ann");
    assertThat(lobby.pair(2)).contains(new Pair<>("ann", "bob"));
  }

  @Test
  void whoLeavesIsNotPaired() {
    search("ann", "bob", "cid", "dan");
    assertThat(lobby.leave("bob")).isTrue();
    assertThat(lobby.leave("bob")).isFalse();
    assertThat(lobby.leave("dan")).isTrue();
    assertThat(lobby.pair(0)).contains(new Pair<>("ann", "cid"));
    assertThat(lobby.size()).isZero();
  }

  @Test
  void whoComesBackGoesToTheFront() {
    search("ann");
    lobby.searchFirst("bob", "zoe", 10);
    search("cid");
    assertThat(lobby.pair(0)).contains(new Pair<>("bob", "ann"));
  }

  @Test
  void whoSearchesAlreadyAndComesBackMovesToTheFront() {
    search("ann", "bob", "cid");
    lobby.searchFirst("cid", "ann", 10);
    assertThat(lobby.size()).isEqualTo(3);
    assertThat(lobby.pair(0)).contains(new Pair<>("cid", "bob"));
  }

  @Test
  void twoWhoMustNotMeetWaitUntilTheyMay() {
    lobby.searchFirst("bob", "ann", 10);
    search("ann");
    assertThat(lobby.pair(9)).isEmpty();
    assertThat(lobby.nextRetry(9)).hasValue(10);
    assertThat(lobby.pair(10)).contains(new Pair<>("bob", "ann"));
    assertThat(lobby.nextRetry(10)).isEmpty();
  }

  @Test
  void twoWhoAvoidEachOtherWaitForTheLongerTime() {
    lobby.searchFirst("bob", "ann", 10);
    lobby.searchFirst("ann", "bob", 20);
    assertThat(lobby.nextRetry(0)).hasValue(20);
    assertThat(lobby.pair(19)).isEmpty();
    assertThat(lobby.pair(20)).contains(new Pair<>("ann", "bob"));
  }

  @Test
  void anAvoidanceDoesNotHoldUpTheOthers() {
    lobby.searchFirst("bob", "ann", 10);
    search("ann", "cid", "dan");
    assertThat(lobby.pair(0)).contains(new Pair<>("bob", "cid"));
    assertThat(lobby.pair(0)).contains(new Pair<>("ann", "dan"));
  }

  @Test
  void ifTheFirstMayMeetNobodyTheNextTwoArePaired() {
    search("cid");
    lobby.searchFirst("bob", "ann", 10);
    search("ann");
    lobby.leave("cid");
    lobby.searchFirst("dan", "ann", 10);
    assertThat(lobby.pair(0)).contains(new Pair<>("dan", "bob"));
    assertThat(lobby.size()).isEqualTo(1);
  }

  @Test
  void anAvoidanceIsForgottenWithThePlace() {
    lobby.searchFirst("bob", "ann", 10);
    lobby.leave("bob");
    search("ann", "bob");
    assertThat(lobby.pair(0)).contains(new Pair<>("ann", "bob"));
  }

  @Test
  void thereIsNothingToWaitForWhenTwoMayMeetNow() {
    search("ann", "bob");
    assertThat(lobby.nextRetry(7)).hasValue(7);
  }

  private void search(String... players) {
    for (String player : players) {
      lobby.search(player);
    }
  }
}
