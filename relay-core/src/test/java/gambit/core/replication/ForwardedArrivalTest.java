package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The arrival of a move that a follower forwards, as the leader's referee sees it: the follower's
 * link, the bus and the leader's other half are real, and their clocks are moved by hand.
 */
class ForwardedArrivalTest {
  private static final long FOLLOWER = 7;
  private static final long LEADER = 8;
  private static final int MOVE = 22_100;
  private static final Event EVENT = Keys.of("alice").sign(1_700_000_000, MOVE, Tags.NONE, "e2e4");

  /** The follower's clock is ahead of the leader's by that. */
  private static final Duration AHEAD = Duration.ofSeconds(20);

  private final TestTime time = new TestTime(); // the leader's
  private final Deque<byte[]> underWay = new ArrayDeque<>();
  private final LeaderHalf leader = new LeaderHalf(LEADER, time);
  private final LeaderLink link =
      new LeaderLink(
          new QueueingBus(), FOLLOWER, Optional::empty, () -> time.instant().plus(AHEAD));

  /** The messages between the two nodes, until they are delivered. */
  private final class QueueingBus implements Bus {
    @Override
    public void listen(long node, Receiver receiver) {}

    @Override
    public void send(long node, byte[] message) {
      if (node == LEADER) {
        underWay.add(message);
      }
    }

    @Override
    public void sendToAll(byte[] message) {}

    @Override
    public int maxMessageBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void close() {}
  }

  private void pass(int millis) {
    time.advance(Duration.ofMillis(millis));
  }

  /** The follower forwards a move that has arrived some time ago. */
  private void forward(int ageMillis) {
    Instant arrivedAt = time.instant().plus(AHEAD).minusMillis(ageMillis);
    assertThat(
            link.forward(
                new Submission(
                    EVENT, new FakeConnection("player"), arrivedAt, false, false, it -> {}),
                true,
                false))
        .isTrue();
  }

  private void deliver() {
    handle(new Clocks.Moment(time.instant(), time.instant()));
  }

  /** The leader's writer handles what has arrived at a moment. */
  private void handle(Clocks.Moment at) {
    while (!underWay.isEmpty()) {
      BusMessage.Received received = BusMessage.decode(underWay.remove());
      leader.nodes().handle(received.node(), (BusMessage.LinkMessage) received.message(), at);
    }
  }

  private Duration ageAtTheReferee() {
    assertThat(leader.claimed()).extracting(Submission::event).containsExactly(EVENT);
    return Duration.between(leader.claimed().get(0).arrivedAt(), time.instant());
  }

  @Test
  void moveIsNotChargedForTheTimeItSpentAtItsNodeWhateverTheClocksOfTheNodesShow() {
    link.begin(LEADER);
    forward(140); // its signature was checked, or a plugin was asked
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(140));
  }

  @Test
  void moveIsNotChargedForTheTimeInWhichTheLeadersWriterWaitedForTheLog() {
    link.begin(LEADER);
    forward(10);
    Clocks.Moment arrival = new Clocks.Moment(time.instant(), time.instant());
    pass(5_000);
    handle(arrival);
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(5_010));
  }

  @Test
  void moveIsNotChargedForTheTimeWithoutALeader() {
    forward(10);
    pass(3_000);
    assertThat(underWay).as("there is no leader").isEmpty();
    link.begin(LEADER);
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(3_010));
  }

  @Test
  void moveThatIsSentAgainBecauseItsMessageWasLostIsNotChargedForTheLoss() {
    link.begin(LEADER);
    forward(10);
    underWay.clear();
    pass(1_000);
    link.begin(LEADER); // the leader has noticed the gap
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(1_010));
  }

  @Test
  void moveThatArrivesTwiceIsHandledOnceWithItsFirstArrival() {
    link.begin(LEADER);
    forward(10);
    deliver();
    pass(500);
    link.begin(LEADER);
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(510));
  }

  @Test
  void moveOfAFollowerWhoseClockIsSetBackHasArrivedWhenTheLeaderGetsIt() {
    link.begin(LEADER);
    forward(-5_000); // the follower's clock was set back by five seconds meanwhile
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ZERO);
  }

  @Test
  void fencePassesAfterTheMovesThatWereForwardedBeforeIt() {
    link.begin(LEADER);
    forward(10);
    link.report(1, false);
    List<Class<?>> order =
        underWay.stream()
            .map(it -> ((BusMessage.LinkMessage) BusMessage.decode(it).message()).payload())
            .<Class<?>>map(Object::getClass)
            .toList();
    assertThat(order.subList(order.size() - 2, order.size()))
        .containsExactly(LinkPayload.Submit.class, LinkPayload.Report.class);
  }
}
