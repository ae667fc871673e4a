package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.PubKey;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BusyPlayersTest {
  private static final PubKey ALICE = Keys.of("alice").pubkey();
  private static final PubKey BOB = Keys.of("bob").pubkey();

  private final PendingCommits.BusyPlayers busyPlayers = new PendingCommits.BusyPlayers();
  private final List<String> done = new ArrayList<>();

  @Test
  void waitingTasksRunInOrderOnceTheCommitIsSettled() {
    busyPlayers.begin(List.of(ALICE));
    await("one");
    await("two");
    busyPlayers.awaitFirst(ALICE, () -> done.add("what the commit has led to"));
    assertThat(done).isEmpty();
    busyPlayers.end(List.of(ALICE));
    assertThat(done).containsExactly("what the commit has led to", "one", "two");
    assertThat(busyPlayers.contains(ALICE)).isFalse();
  }

  @Test
  void playerIsBusyUntilTheLastOfSeveralCommitsIsSettled() {
    busyPlayers.begin(List.of(ALICE));
    busyPlayers.begin(List.of(ALICE, BOB));
    await("one");
    busyPlayers.end(List.of(ALICE, BOB));
    assertThat(busyPlayers.contains(ALICE)).isTrue();
    assertThat(busyPlayers.contains(BOB)).isFalse();
    assertThat(done).isEmpty();
    busyPlayers.end(List.of(ALICE));
    assertThat(done).containsExactly("one");
  }

  @Test
  void taskThatBeginsACommitPrecedesTasksThatWaitedEarlierThenThoseThatWaitForIt() {
    busyPlayers.begin(List.of(ALICE));
    busyPlayers.await(
        ALICE,
        () -> {
          done.add("one");
          busyPlayers.begin(List.of(ALICE));
          await("three");
        });
    await("two");
    busyPlayers.end(List.of(ALICE));
    assertThat(done).containsExactly("one");
    assertThat(busyPlayers.contains(ALICE)).isTrue();
    busyPlayers.end(List.of(ALICE));
    assertThat(done).containsExactly("one", "two", "three");
  }

  private void await(String name) {
    busyPlayers.await(ALICE, () -> done.add(name));
  }
}
