package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A new leader decides nothing before it knows the clients of the nodes that live. */
class LeadershipStartTest {
  private static final Instant BEGUN = Instant.ofEpochSecond(100);

  private final List<String> handled = new ArrayList<>();

  private LeadershipStart start(Long... awaited) {
    LeadershipStart start =
        new LeadershipStart(Set.of(awaited), BEGUN, () -> handled.add("own requests"));
    start.begin();
    return start;
  }

  private void handle(LeadershipStart start, String request) {
    start.handle(() -> handled.add(request));
  }

  @Test
  void requestsWaitForAllNodesAndAreHandledAfterThoseOfTheLeadersOwnClients() {
    LeadershipStart start = start(1L, 2L);
    handle(start, "first");
    start.known(2);
    handle(start, "second");
    assertThat(handled).isEmpty();
    start.known(1);
    assertThat(handled).containsExactly("own requests", "first", "second");
    handle(start, "third");
    start.known(1);
    assertThat(handled).containsExactly("own requests", "first", "second", "third");
  }

  @Test
  void nodeThatDoesNotComeIsAwaitedForASecond() {
    LeadershipStart start = start(1L);
    handle(start, "first");
    start.tick(BEGUN.plus(LeadershipStart.LONGEST).minusMillis(1));
    assertThat(handled).isEmpty();
    start.tick(BEGUN.plus(LeadershipStart.LONGEST));
    assertThat(handled).containsExactly("own requests", "first");
  }

  @Test
  void requestThatFailsDoesNotKeepOthersFromBeingHandled() {
    LeadershipStart start = start(1L);
    start.handle(
        () -> {
          throw new IllegalArgumentException("on purpose");
        });
    handle(start, "second");
    start.known(1);
    assertThat(handled).containsExactly("own requests", "second");
  }

  @Test
  void nobodyIsAwaitedIfNoOtherNodeLives() {
    LeadershipStart start = start();
    assertThat(handled).containsExactly("own requests");
    start.known(1);
    assertThat(handled).hasSize(1);
  }
}
