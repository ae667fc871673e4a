package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.replication.message.BusCodec;
import gambit.core.replication.message.BusMessage;
import gambit.core.testkit.TestTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What waits, before a flag falls, for the messages that have arrived at the players' nodes. */
class FencesTest {
  private static final long LEADER = 1;
  private static final long WHITE = 2;
  private static final long BLACK = 3;

  private final List<Long> asked = new ArrayList<>(); // nodes, in order
  private final List<Long> numbers = new ArrayList<>(); // of the requests to them
  private final TestTime time = new TestTime();
  private final List<Runnable> here = new ArrayList<>(); // waits for this node's messages
  private final List<String> passed = new ArrayList<>();
  private final Fences fences = new Fences(new Requests(), LEADER, 0, Runnable::run, time);

  private final class Requests implements Bus {
    @Override
    public void listen(long node, Receiver receiver) {}

    @Override
    public void send(long node, byte[] message) {
      BusCodec.Received received = BusCodec.decode(message);
      assertThat(received.node()).isEqualTo(LEADER);
      asked.add(node);
      numbers.add(((BusMessage.FenceRequest) received.message()).number());
    }

    @Override
    public void sendToAll(byte[] message) {
      throw new AssertionError("other nodes are not asked");
    }

    @Override
    public int maxMessageBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void close() {}
  }

  private long await(String name, Long... nodes) {
    fences.await(Set.of(nodes), here::add, () -> passed.add(name));
    return numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
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
    fences.passed(number, WHITE);
    handleMessagesHere();
    assertThat(passed).isEmpty();
    fences.passed(number, BLACK);
    assertThat(passed).containsExactly("flag");
    fences.passed(number, BLACK);
    pass(1_000);
    assertThat(passed).as("after a second answer, and the end of the wait").hasSize(1);
  }

  @Test
  void fenceWaits250MillisecondsForANodeThatDoesNotAnswer() {
    long number = await("flag", WHITE, BLACK);
    handleMessagesHere();
    fences.passed(number, WHITE);
    pass(249);
    assertThat(passed).isEmpty();
    pass(1);
    assertThat(passed).containsExactly("flag");
    fences.passed(number, BLACK);
    assertThat(passed).as("an answer that comes late").hasSize(1);
  }

  @Test
  void fenceWaitsForTheMessagesOfThisNodeHoweverLongThatTakes() {
    long number = await("flag", WHITE);
    pass(1_000);
    fences.passed(number, WHITE);
    assertThat(passed).isEmpty();
    handleMessagesHere();
    assertThat(passed).containsExactly("flag");
  }

  @Test
  void fenceDoesNotWaitForANodeThatHasGone() {
    await("first", WHITE);
    long second = await("second", WHITE, BLACK);
    handleMessagesHere();
    fences.nodeGone(WHITE);
    assertThat(passed).containsExactly("first");
    fences.passed(second, BLACK);
    assertThat(passed).containsExactly("first", "second");
  }

  @Test
  void answerToAFenceDoesNotPassAnotherOne() {
    long first = await("first", WHITE);
    long second = await("second", WHITE);
    handleMessagesHere();
    fences.passed(second, WHITE);
    assertThat(passed).containsExactly("second");
    fences.passed(first, WHITE);
    assertThat(passed).containsExactly("second", "first");
  }
}
