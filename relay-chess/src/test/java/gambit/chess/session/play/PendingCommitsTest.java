package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.PubKey;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PendingCommitsTest {
  private static final int MANY = 100;

  private final List<Runnable> lane = new ArrayList<>();
  private final List<Consumer<WriteOutcome>> underWay = new ArrayList<>();
  private final List<Integer> settled = new ArrayList<>();
  private final PendingCommits commits = new PendingCommits(new HeldPublisher(), lane::add);

  /** Keeps the commits until the test decides on them. */
  private final class HeldPublisher implements Publisher {
    @Override
    public boolean store(
        Commit commit,
        Function<WriteOutcome, List<Outgoing>> outcome,
        Consumer<WriteOutcome> whenSettled) {
      return underWay.add(whenSettled);
    }

    @Override
    public void send(List<Outgoing> outgoing) {}
  }

  @Test
  void commitsAreSettledOnTheLaneInTheOrderOfTheirEnds() {
    store();
    underWay.forEach(end -> end.accept(WriteOutcome.STORED));
    assertThat(settled).isEmpty();
    lane.forEach(Runnable::run);
    assertThat(settled).containsExactlyElementsOf(IntStream.range(0, MANY).boxed().toList());
    assertThat(players()).noneMatch(commits.busyPlayers()::contains);
  }

  @Test
  void playerOfACommitWhoseSettlementFailsIsNotBusy() {
    commits.store(
        List.of(player(0)),
        nothing(),
        outcome -> List.of(),
        outcome -> {
          throw new IllegalStateException("a bug on purpose");
        });
    underWay.get(0).accept(WriteOutcome.STORED);
    assertThatThrownBy(lane.remove(0)::run).hasMessage("a bug on purpose");
    assertThat(commits.busyPlayers().contains(player(0))).isFalse();
  }

  private void store() {
    for (int i = 0; i < MANY; i++) {
      int number = i;
      commits.store(
          List.of(player(i)), nothing(), outcome -> List.of(), outcome -> settled.add(number));
    }
  }

  private static List<PubKey> players() {
    return IntStream.range(0, MANY).mapToObj(PendingCommitsTest::player).toList();
  }

  private static PubKey player(int number) {
    return Keys.of("player " + number).pubkey();
  }

  private static Announcements nothing() {
    return new Announcements(
        new ConnectionBindings(
            new ConnectionBindings.PresenceListener() {
              @Override
              public void playerConnected(PubKey player) {}

              @Override
              public void playerDisconnected(PubKey player) {}

              @Override
              public void connectionsChanged(PubKey player) {}
            }));
  }
}
