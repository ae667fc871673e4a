package gambit.chess.session.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.PubKey;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxesTest {
  private static final PubKey ALICE = Keys.of("alice").pubkey();
  private static final PubKey BOB = Keys.of("bob").pubkey();

  private final Inboxes inboxes = new Inboxes();
  private final List<String> done = new ArrayList<>();

  @Test
  void waitingTasksRunInOrderOnceTheCommitIsSettled() {
    inboxes.begin(List.of(ALICE));
    await("one");
    await("two");
    inboxes.awaitFirst(ALICE, () -> done.add("what the commit has led to"));
    assertThat(done).isEmpty();
    inboxes.end(List.of(ALICE));
    assertThat(done).containsExactly("what the commit has led to", "one", "two");
    assertThat(inboxes.isBusy(ALICE)).isFalse();
  }

  @Test
  void playerIsBusyUntilTheLastOfSeveralCommitsIsSettled() {
    inboxes.begin(List.of(ALICE));
    inboxes.begin(List.of(ALICE, BOB));
    await("one");
    inboxes.end(List.of(ALICE, BOB));
    assertThat(inboxes.isBusy(ALICE)).isTrue();
    assertThat(inboxes.isBusy(BOB)).isFalse();
    assertThat(done).isEmpty();
    inboxes.end(List.of(ALICE));
    assertThat(done).containsExactly("one");
  }

  @Test
  void taskThatBeginsACommitPrecedesTasksThatWaitedEarlierThenThoseThatWaitForIt() {
    inboxes.begin(List.of(ALICE));
    inboxes.await(
        ALICE,
        () -> {
          done.add("one");
          inboxes.begin(List.of(ALICE));
          await("three");
        });
    await("two");
    inboxes.end(List.of(ALICE));
    assertThat(done).containsExactly("one");
    assertThat(inboxes.isBusy(ALICE)).isTrue();
    inboxes.end(List.of(ALICE));
    assertThat(done).containsExactly("one", "two", "three");
  }

  private void await(String name) {
    inboxes.await(ALICE, () -> done.add(name));
  }
}
