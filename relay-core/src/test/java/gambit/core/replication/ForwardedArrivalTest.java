package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.Submission;
import gambit.core.ingest.EventChecks;
import gambit.core.ingest.Forwarding;
import gambit.core.ingest.Ingest;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Writer;
import gambit.core.live.LiveLane;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits;
import gambit.core.store.MemoryEventStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
  private final List<Submission> handled = new ArrayList<>(); // by the referee
  private final LeaderLink link =
      new LeaderLink(new QueueingBus(), FOLLOWER, () -> time.instant().plus(AHEAD));
  private final RemoteNodes nodes = nodes();

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

  private RemoteNodes nodes() {
    MemoryEventStore store = new MemoryEventStore(1 << 20);
    StorageRules rules = new StorageRules(store, Set.of());
    LiveLane live = LiveLane.withoutThread(SimulatedRelay.RELAY.pubkey(), 0, NoMetrics.INSTANCE);
    Writer writer =
        Writer.withoutThread(
            store,
            rules,
            live,
            null,
            new Writer.Bounds(1, Writer.BATCH_BYTES, Long.MAX_VALUE, 100, 10),
            time,
            NoMetrics.INSTANCE);
    Ingest ingest =
        new Ingest(
            store,
            rules,
            new EventChecks(
                new EventVerifier(),
                new EventChecks.Checks(List.of(), List.of(), List.of()),
                new RateLimiter(RateLimits.NONE, () -> 0),
                author -> false,
                Optional.empty()),
            (event, reader) -> true,
            List.of(event -> Optional.of(handled::add)),
            writer,
            live,
            Forwarding.NONE,
            NoMetrics.INSTANCE);
    Clocks clocks = new Clocks(time, time);
    return new RemoteNodes(
        new RemoteNodes.Ports(
            new QueueingBus(),
            LEADER,
            ingest,
            writer,
            live,
            List.of(),
            new RowListeners(),
            new RemoteReports(0),
            new Fences(new QueueingBus(), LEADER, 0, Runnable::run, time),
            start(),
            new LeaderStates(),
            new NodeState(1, 1, clocks, Duration.ofSeconds(10))),
        Duration.ofSeconds(4));
  }

  /** A leader that awaits no other node. */
  private LeadershipStart start() {
    LeadershipStart start = new LeadershipStart(Set.of(), time.instant(), () -> {});
    start.begin();
    return start;
  }

  private void pass(int millis) {
    time.advance(Duration.ofMillis(millis));
  }

  /** The follower forwards a move that has arrived some time ago. */
  private void forward(int ageMillis) {
    Instant arrivedAt = time.instant().plus(AHEAD).minusMillis(ageMillis);
    assertThat(
            link.forward(
                new Submission(EVENT, new FakeConnection("player"), arrivedAt, false, it -> {}),
                false))
        .isTrue();
  }

  private void deliver() {
    handle(new Clocks.Moment(time.instant(), time.instant()));
  }

  /** The leader's writer handles what has arrived at a moment. */
  private void handle(Clocks.Moment at) {
    while (!underWay.isEmpty()) {
      BusCodec.Received received = BusCodec.decode(underWay.remove());
      nodes.handle(received.node(), (BusMessage.LinkMessage) received.message(), at);
    }
  }

  private Duration ageAtTheReferee() {
    assertThat(handled).extracting(Submission::event).containsExactly(EVENT);
    return Duration.between(handled.get(0).arrivedAt(), time.instant());
  }

  @Test
  void moveIsNotChargedForTheTimeItSpentAtItsNodeWhateverTheClocksOfTheNodesShow() {
    link.begin(LEADER, 0);
    forward(140); // its signature was checked, or a plugin was asked
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(140));
  }

  @Test
  void moveIsNotChargedForTheTimeInWhichTheLeadersWriterWaitedForTheLog() {
    link.begin(LEADER, 0);
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
    link.begin(LEADER, 0);
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(3_010));
  }

  @Test
  void moveThatIsSentAgainBecauseItsMessageWasLostIsNotChargedForTheLoss() {
    link.begin(LEADER, 0);
    forward(10);
    underWay.clear();
    pass(1_000);
    link.begin(LEADER, 0); // the leader has noticed the gap
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(1_010));
  }

  @Test
  void moveThatArrivesTwiceIsHandledOnceWithItsFirstArrival() {
    link.begin(LEADER, 0);
    forward(10);
    deliver();
    pass(500);
    link.begin(LEADER, 0);
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ofMillis(510));
  }

  @Test
  void moveOfAFollowerWhoseClockIsSetBackHasArrivedWhenTheLeaderGetsIt() {
    link.begin(LEADER, 0);
    forward(-5_000); // the follower's clock was set back by five seconds meanwhile
    deliver();
    assertThat(ageAtTheReferee()).isEqualTo(Duration.ZERO);
  }

  @Test
  void fencePassesAfterTheMovesThatWereForwardedBeforeIt() {
    link.begin(LEADER, 0);
    forward(10);
    link.passFence(1);
    List<Class<?>> order =
        underWay.stream()
            .map(it -> ((BusMessage.LinkMessage) BusCodec.decode(it).message()).payload())
            .<Class<?>>map(Object::getClass)
            .toList();
    assertThat(order.subList(order.size() - 2, order.size()))
        .containsExactly(LinkPayload.Submit.class, LinkPayload.FencePassed.class);
  }
}
