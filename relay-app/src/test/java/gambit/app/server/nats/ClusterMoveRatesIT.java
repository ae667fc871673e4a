package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rate limits of a follower of a cluster do not apply to the moves of a player in turn. */
@ThoroughOnly
class ClusterMoveRatesIT {
  private static final List<String> MOVES = List.of("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6");

  @TempDir Path temp;

  @Test
  void playersWhoseRatesAreUsedUpPlayOnAtAFollower() {
    try (RelayCluster cluster = RelayCluster.startHere(temp, 0, "rates.by_pubkey.event=2/h");
        DraftPlayer alice = new DraftPlayer(cluster.url(cluster.followers().get(0)));
        DraftPlayer bob = new DraftPlayer(cluster.url(cluster.followers().get(1)))) {
      for (DraftPlayer each : List.of(alice, bob)) {
        assertThat(each.say(5000, "connect")).isEqualTo("true");
        assertThat(each.say(5003, "blah")).isEqualTo("false invalid: not resign");
      }
      String white = DraftPlayer.tag(alice.event("gameisfound"), "p");
      bob.event("gameisfound");
      DraftPlayer turn = white.equals(alice.pubkey()) ? alice : bob;
      for (String move : MOVES) {
        DraftPlayer other = turn == alice ? bob : alice;
        assertThat(other.say(5001, move)).as("out of turn").startsWith("false rate-limited: ");
        assertThat(turn.say(5003, "resign")).startsWith("false rate-limited: ");
        assertThat(turn.say(5001, move)).isEqualTo("true");
        other.awaitMove(move);
        turn = other;
      }
    }
  }
}
