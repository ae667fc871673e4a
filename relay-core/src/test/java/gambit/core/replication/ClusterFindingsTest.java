package gambit.core.replication;

import static gambit.core.store.Transaction.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.ingest.Replication;
import gambit.core.model.Event;
import gambit.core.replication.Clocks.Moment;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.LogGroup;
import gambit.core.store.Transaction;
import gambit.core.testkit.MemoryEventStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What {@link ClusterSimulationTest} has found, step by step. */
@ExtendWith(SilencedLog.class)
class ClusterFindingsTest {
  private final Map<Long, Integer> sessions = new HashMap<>(); // begun with each node
  private final Simulation world = Simulation.quiet(new Listener());

  /** Changes nothing; counts the sessions that nodes begin with their leaders. */
  private final class Listener extends Defect {
    @Override
    Bus bus(Bus real, SimulatedRelay relay) {
      return (Bus)
          Proxy.newProxyInstance(
              Bus.class.getClassLoader(),
              new Class<?>[] {Bus.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("send") && isHello((byte[]) arguments[1])) {
                  sessions.merge((Long) arguments[0], 1, Integer::sum);
                }
                return method.invoke(real, arguments);
              });
    }

    private boolean isHello(byte[] message) {
      return BusMessage.decode(message).message() instanceof BusMessage.LinkMessage it
          && it.payload() instanceof LinkPayload.Hello;
    }
  }

  /** The machine of the leader, once there is one. */
  private SimulatedMachine leader() {
    return machine(true);
  }

  private SimulatedMachine follower() {
    return machine(false);
  }

  private SimulatedMachine machine(boolean leads) {
    world.pass(3);
    return world.machines().stream()
        .filter(it -> relay(it).node().leads() == leads)
        .findFirst()
        .orElseThrow();
  }

  private static SimulatedRelay relay(SimulatedMachine machine) {
    return Optional.ofNullable(machine.relay()).orElseThrow();
  }

  /** Does something at a time from now, even while a writer waits for the log. */
  private void in(double seconds, Runnable run) {
    world.schedule().after((long) (seconds * 1e6), null, run);
  }

  @Test
  void firstNodeOfANewLogLeadsAtOnce() {
    world.pass(0.3);
    assertThat(world.relays().filter(it -> it.node().leads())).hasSize(1);
  }

  @Test
  void leaderWhoseEntryIsInDoubtSendsItsClientsAway() {
    SimulatedMachine leader = leader();
    SimulatedClient client = world.connect(leader);
    leader.cutFromLog(true);
    client.publish(SimulatedEvents.stored(0));
    AtomicBoolean isSentAway = new AtomicBoolean();
    in(
        SimulatedRelay.MAX_STALENESS.toSeconds() + 1,
        () -> {
          isSentAway.set(!client.isConnected());
          leader.cutFromLog(false); // its writer waits until then
        });
    world.pass(10);
    assertThat(isSentAway).isTrue();
  }

  @Test
  void nodeThatHasNotReachedTheLogSinceItsStartAcceptsNobody() {
    SimulatedMachine machine = follower();
    machine.end();
    machine.cutFromLog(true);
    machine.start();
    world.pass(0.1);
    assertThat(relay(machine).accepts()).isFalse();
    machine.cutFromLog(false);
    world.pass(1);
    assertThat(relay(machine).accepts()).isTrue();
  }

  @Test
  void nodeWhoseClockIsSetBackStillKnowsThatItIsCutOff() {
    SimulatedMachine machine = follower();
    machine.cutFromLog(true);
    machine.setClock(-3_600_000_000L);
    world.pass(2.5);
    assertThat(relay(machine).node().forwarding().objection()).isPresent();
  }

  @Test
  void machineThatSleptKnowsThatItsDataAreOld() {
    NodeState state =
        new NodeState(1, 1, world.machines().get(0).clocks(), SimulatedRelay.MAX_STALENESS);
    Moment now = world.machines().get(0).clocks().now();
    state.confirm(1, new Moment(now.time().minusSeconds(60), now.steady()), Duration.ZERO);
    assertThat(state.isCutOff()).isTrue();
  }

  @Test
  void nodeThatDoesNotKeepUpIsNotReadyAndTakesNoEvents() {
    Clocks clocks = world.machines().get(0).clocks();
    NodeState state = new NodeState(1, 1, clocks, SimulatedRelay.MAX_STALENESS);
    state.setLeader(1);
    state.confirm(1, clocks.now(), Duration.ZERO);
    world.pass(NodeState.DOUBT.toSeconds() + 1);
    state.confirm(2, clocks.now(), Duration.ZERO);
    assertThat(state.objection()).isPresent();
    assertThat(state.healthObjection()).isPresent();
    assertThat(state.isCutOff()).as("its copy is not too old to be read").isFalse();
    state.setApplied(2);
    state.confirm(2, clocks.now(), Duration.ZERO);
    assertThat(state.objection()).isEmpty();
    assertThat(state.healthObjection()).isEmpty();
  }

  @Test
  void nobodyTakesOverBecauseAllMachinesHaveStoodStill() {
    long epoch = relay(leader()).node().state().epoch();
    long until = world.schedule().now() + 5_000_000;
    world.machines().forEach(it -> it.stopUntil(until));
    world.pass(8);
    assertThat(world.relays()).allMatch(it -> it.node().state().epoch() == epoch);
  }

  @Test
  void leaderThatBeginsWaitsForNoOtherNode() {
    SimulatedMachine former = leader();
    SimulatedMachine gone = follower();
    gone.end();
    world.pass(3);
    SimulatedRelay next = world.relays().filter(it -> !it.node().leads()).findFirst().orElseThrow();
    former.end();
    world.connect(next.machine()).publish(SimulatedEvents.stored(0));
    world.pass(SimulatedRelay.TAKEOVER_AFTER.toSeconds() + 0.6);
    assertThat(next.node().leads()).isTrue();
    assertThat(next.node().waiting()).isZero();
  }

  @Test
  void nodeWhoseServerOfTheLogIsCutOffWithItDoesNotCountTheAnswersOfThatServer() {
    SimulatedMachine machine = follower();
    machine.cutFromLogWithItsServer(3_000_000);
    world.pass(SimulatedRelay.MAX_STALENESS.toSeconds() - 1);
    assertThat(relay(machine).node().state().isCutOff()).isFalse();
    world.pass(1.5);
    assertThat(relay(machine).node().state().isCutOff()).isTrue();
  }

  @Test
  void leaderThatWaitsForTheLogStaysLeaderAndTellsItsFeaturesAfterwards() {
    SimulatedRelay leader = relay(leader());
    long epoch = leader.node().state().epoch();
    AtomicInteger stalls = new AtomicInteger();
    leader.node().afterStall(stalls::incrementAndGet);
    SimulatedClient client = world.connect(leader());
    world.log().setDown(true); // as while NATS elects a leader
    in(SimulatedRelay.TAKEOVER_AFTER.toSeconds() * 3, () -> world.log().setDown(false));
    client.publish(SimulatedEvents.stored(0));
    world.pass(SimulatedRelay.TAKEOVER_AFTER.toSeconds() * 3 + 2);
    assertThat(leader.node().leads()).isTrue();
    assertThat(leader.node().state().epoch()).isEqualTo(epoch);
    assertThat(stalls).hasValue(1);
    assertThat(world.unrecovered()).isEmpty();
  }

  @Test
  void leaderWhoseFeaturesTakeLongToBeginIsNotTakenForDeadNorForOneThatHasLostMessages() {
    SimulatedMachine former = leader();
    long epoch = relay(former).node().state().epoch();
    SimulatedRelay next = nextWithSlowFeatures(former);
    assertThat(next.node().state().epoch()).isEqualTo(epoch + 1);
    assertThat(sessions.get(next.number())).as("the follower waits for the first one").isEqualTo(1);
  }

  @Test
  void sessionThatBeginsWhileTheFeaturesOfTheLeaderDoIsNotTakenForLost() {
    SimulatedMachine former = leader();
    SimulatedMachine late = follower();
    late.cutFromLog(true); // until the leader has heartbeats to send that know no session
    in(SimulatedRelay.TAKEOVER_AFTER.toSeconds() * 2, () -> late.cutFromLog(false));
    SimulatedRelay next = nextWithSlowFeatures(former);
    assertThat(sessions.get(next.number())).isEqualTo(1);
  }

  /** The leader after one that was killed, once its features have begun, which takes long. */
  private SimulatedRelay nextWithSlowFeatures(SimulatedMachine former) {
    long micros = SimulatedRelay.TAKEOVER_AFTER.toNanos() / 300;
    world.relays().forEach(it -> it.node().whenLeading(() -> it.pauseWriter(micros)));
    former.end();
    world.pass(SimulatedRelay.TAKEOVER_AFTER.toSeconds() * 6 + 3);
    return world.relays().filter(it -> it.node().leads()).findFirst().orElseThrow();
  }

  @Test
  void fencePassesOnlyAfterATimeInWhichEventsWereRefused() {
    SimulatedRelay leader = relay(leader());
    List<String> calls = new ArrayList<>();
    leader.node().afterStall(() -> calls.add("stall"));
    world.log().setDown(true);
    world.pass(3);
    leader.node().afterArrivals(() -> calls.add("fence"));
    world.pass(1);
    assertThat(calls).isEmpty();
    world.log().setDown(false);
    world.pass(2);
    assertThat(calls).containsExactly("stall", "fence");
  }

  @Test
  void fencePassesAlsoIfAClockThatWasSetHasEndedTheRefusals() {
    SimulatedMachine machine = leader();
    AtomicBoolean hasPassed = new AtomicBoolean();
    machine.setClock(100_000_000);
    relay(machine).node().afterArrivals(() -> hasPassed.set(true));
    relay(machine).after(0, () -> {}); // wakes the writer
    world.pass(0.01);
    assertThat(hasPassed).isFalse();
    machine.setClock(-100_000_000);
    world.pass(2);
    assertThat(hasPassed).isTrue();
  }

  @Test
  void nodeWhoseTakeoverIsFollowedByAnotherOneStartsAnew() {
    SimulatedRelay relay = relay(follower());
    MemoryEventStore copy = copyOfLog();
    long epoch = relay.node().state().epoch();
    Entry own = takeover(copy, epoch + 1, relay.number());
    Entry other = takeover(copy, epoch + 2, 1);
    assertThatThrownBy(() -> relay.node().applier().follow(List.of(own, other), relay.node()))
        .isInstanceOf(Replication.Overtaken.class);
  }

  @Test
  void outputBeforeATakeoverIsReleasedOnlyUpToIt() {
    SimulatedRelay relay = relay(follower());
    MemoryEventStore copy = copyOfLog();
    long epoch = relay.node().state().epoch();
    Event first = SimulatedEvents.stored(0);
    Event second = SimulatedEvents.stored(1);
    Entry before = entry(copy, epoch, relay.node().state().leader(), it -> it.append(first, NEVER));
    Entry takeover = takeover(copy, epoch + 1, 1);
    long offset = copy.lastOffset();
    Entry after = entry(copy, epoch + 1, 1, it -> it.append(second, NEVER));
    relay.node().applier().follow(List.of(before, takeover, after), relay.node());
    relay.live().runNext();
    assertThat(relay.live().hasReleased(offset)).isTrue();
    assertThat(relay.live().hasReleased(copy.lastOffset())).isFalse();
  }

  private MemoryEventStore copyOfLog() {
    MemoryEventStore copy = new MemoryEventStore(1 << 20);
    copy.apply(world.log().groups());
    return copy;
  }

  private static Entry takeover(MemoryEventStore store, long epoch, long node) {
    return entry(
        store,
        epoch,
        node,
        it -> it.putRow(ClusterRow.TABLE, ClusterRow.LEADER, ClusterRow.leader(epoch, node)));
  }

  private static Entry entry(
      MemoryEventStore store, long epoch, long node, Consumer<Transaction> change) {
    LogEnd end = store.logEnd();
    try (Transaction transaction = store.begin()) {
      change.accept(transaction);
      LogGroup group = transaction.prepare();
      transaction.commit();
      return new Entry(epoch, node, 0, end.checksum(), group, new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nodeThatJoinsWhileNothingHappensGetsTheCurrentStates() {
    SimulatedMachine follower = follower();
    world.connect(leader()).publish(SimulatedEvents.move(0));
    world.pass(1);
    follower.end();
    follower.start();
    world.pass(3);
    assertThat(world.unrecovered()).isEmpty();
  }

  @Test
  void requestOfANodeThatWasGoneIsHandledOnce() {
    SimulatedMachine follower = follower();
    SimulatedClient client = world.connect(follower);
    follower.cutFromLog(true);
    client.publish(SimulatedEvents.move(0)); // decided, but the node does not know it
    in(0.5, () -> follower.cutFromBus(true));
    in(5.5, () -> follower.cutFromBus(false)); // it begins another session, and asks again
    in(7, () -> follower.cutFromLog(false));
    world.pass(10);
    assertThat(world.check().moves()).isOne();
    assertThat(relay(follower).node().waiting()).isZero();
  }

  @Test
  void playerWhoseNodeWasGoneConnectsAgain() {
    SimulatedMachine follower = follower();
    SimulatedClient client = world.connect(follower);
    follower.cutFromLog(true);
    client.publish(SimulatedEvents.join(0)); // it gets a seat, but the node does not know it
    in(0.2, () -> follower.cutFromBus(true));
    in(4.5, () -> follower.cutFromBus(false)); // it begins another session
    in(5, () -> follower.cutFromLog(false));
    world.pass(8);
    assertThat(client.isConnected()).isFalse();
  }
}
