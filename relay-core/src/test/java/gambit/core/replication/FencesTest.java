package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.rate.ClientAddress;
import gambit.core.testkit.TestTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What waits, before a flag falls, for the messages that have arrived at the players' nodes. */
class FencesTest {
  private static final long LEADER = 1;
  private static final long WHITE = 2;
  private static final long BLACK = 3;

  private final List<Long> asked = new ArrayList<>(); // nodes, in order
  private final TestTime time = new TestTime();
  private final List<Runnable> here = new ArrayList<>(); // waits for this node's messages
  private final List<String> passed = new ArrayList<>();
  private final LeaderHalf leader = new LeaderHalf(LEADER, time, here::add);
  private final Map<Long, Long> messages = new HashMap<>(); // of each node

  private void handle(long node, LinkPayload payload) {
    long number = messages.merge(node, 1L, Long::sum);
    Clocks.Moment now = new Clocks.Moment(time.instant(), time.instant());
    leader.nodes().handle(node, new BusMessage.LinkMessage(1, number, payload), now);
  }

  private void connect(long node) {
    if (!messages.containsKey(node)) {
      handle(node, new LinkPayload.Hello(false));
      handle(node, new LinkPayload.Open(1, new ClientAddress(false, 1), false, Set.of()));
    }
  }

  /** Waits, while those nodes have connections; returns the number of the requests to them. */
  private long await(String name, Long... nodes) {
    List.of(nodes).forEach(this::connect);
    leader.nodes().afterArrivals(() -> passed.add(name));
    long number = 0;
    for (LeaderHalf.Sent each : leader.takeSent()) {
      asked.add(each.node());
      number = ((BusMessage.FenceRequest) each.message()).number();
    }
    return number;
  }

  private void answer(long number, long node) {
    handle(node, new LinkPayload.Report(number, false));
  }

  private void handleMessagesHere() {
    here.forEach(Runnable::run);
    here.clear();
  }

  private void pass(int millis) {
    time.advance(Duration.ofMillis(millis));
  }

  @Test
  void fenceWithoutOtherNodesWaitsOnlyForTheMessagesOfThisNode() {
    await("flag");
    assertThat(asked).isEmpty();
    pass(1_000);
    assertThat(passed).isEmpty();
    handleMessagesHere();
    assertThat(passed).containsExactly("flag");
  }

  @Test
  void fenceAsksTheNodesWithClientsAndWaitsForThemAndForThisNode() {
    long number = await("flag", WHITE, BLACK);
    assertThat(asked).containsExactlyInAnyOrder(WHITE, BLACK);
    answer(number, WHITE);
    handleMessagesHere();
    assertThat(passed).isEmpty();
    answer(number, BLACK);
    assertThat(passed).containsExactly("flag");
    answer(number, BLACK);
    pass(1_000);
    assertThat(passed).as("after a second answer, and the end of the wait").hasSize(1);
  }

  @Test
  void fenceWaits250MillisecondsForANodeThatDoesNotAnswer() {
    long number = await("flag", WHITE, BLACK);
    handleMessagesHere();
    answer(number, WHITE);
    pass(249);
    assertThat(passed).isEmpty();
    pass(1);
    assertThat(passed).containsExactly("flag");
    answer(number, BLACK);
    assertThat(passed).as("an answer that comes late").hasSize(1);
  }

  @Test
  void fenceWaitsForTheMessagesOfThisNodeHoweverLongThatTakes() {
    long number = await("flag", WHITE);
    pass(1_000);
    answer(number, WHITE);
    assertThat(passed).isEmpty();
    handleMessagesHere();
    assertThat(passed).containsExactly("flag");
  }

  @Test
  void fenceDoesNotWaitForANodeThatHasGone() {
    await("first", WHITE);
    long second = await("second", WHITE, BLACK);
    handleMessagesHere();
    leader.nodes().gone(WHITE);
    assertThat(passed).containsExactly("first");
    answer(second, BLACK);
    assertThat(passed).containsExactly("first", "second");
  }

  @Test
  void answerToAFenceDoesNotPassAnotherOne() {
    long first = await("first", WHITE);
    long second = await("second", WHITE);
    handleMessagesHere();
    answer(second, WHITE);
    assertThat(passed).containsExactly("second");
    answer(first, WHITE);
    assertThat(passed).containsExactly("second", "first");
  }
}
