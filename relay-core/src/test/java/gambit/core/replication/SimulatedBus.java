package gambit.core.replication;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The bus of a simulation. Messages of one sender on one subject, to a node or to all, keep their
 * order; those on different ones do not. They are delayed or lost, and most may arrive twice. A
 * node that is cut off, or whose connection is made anew, may be taken for absent.
 */
final class SimulatedBus {
  private static final int MAX_MESSAGE_BYTES = 1 << 20;

  private final Simulation world;

  private final SplittableRandom random;
  private final Map<Long, Port> ports = new HashMap<>();
  private final Map<Subject, Long> lastArrivals = new HashMap<>();
  private final int lostPerMille;
  private final int twicePerMille;
  private final int delayMicros;
  private boolean isCalm;

  /** What keeps its order. */
  private record Subject(long from, long to, boolean isToAll) {}

  SimulatedBus(Simulation world, SplittableRandom random) {
    this.world = world;
    this.random = random;
    this.lostPerMille = random.nextBoolean() ? 0 : random.nextInt(60);
    this.twicePerMille = random.nextBoolean() ? 0 : random.nextInt(60);
    this.delayMicros = random.nextInt(4) > 0 ? 3_000 : 200_000;
  }

  /** From now on, nothing is lost or doubled. */
  void calm() {
    isCalm = true;
  }

  /** The bus as one relay sees it. */
  Bus portOf(SimulatedRelay relay) {
    return new Port(relay);
  }

  private void send(SimulatedRelay from, Port to, boolean isToAll, byte[] message) {
    if (!from.machine().reaches(to.relay.machine())
        || (!isCalm && random.nextInt(1_000) < lostPerMille)) {
      return;
    }
    Subject subject = new Subject(from.number(), to.relay.number(), isToAll);
    long now = world.schedule().now();
    long arrival =
        Math.max(
            lastArrivals.getOrDefault(subject, 0L),
            now + 50 + random.nextInt(isCalm ? 1_000 : delayMicros));
    lastArrivals.put(subject, arrival);
    deliverAfter(arrival - now, from, to, message);
    // once at most is promised, which only ephemeral events need
    if (!isCalm
        && !(BusMessage.decode(message).message() instanceof BusMessage.Ephemeral)
        && random.nextInt(1_000) < twicePerMille) {
      deliverAfter(arrival - now + random.nextInt(delayMicros), from, to, message);
    }
  }

  private void deliverAfter(long micros, SimulatedRelay from, Port to, byte[] message) {
    to.relay.after(
        micros,
        () -> {
          Bus.Receiver receiver = to.receiver;
          if (receiver != null && from.machine().reaches(to.relay.machine())) {
            receiver.receive(message);
          }
        });
  }

  /** The bus of one relay. */
  private final class Port implements Bus {
    private final SimulatedRelay relay;
    private @Nullable Receiver receiver;

    Port(SimulatedRelay relay) {
      this.relay = relay;
    }

    @Override
    public void listen(long node, Receiver added) {
      receiver = added;
      ports.put(node, this);
    }

    @Override
    public void send(long node, byte[] message) {
      Port to = ports.get(node);
      if (to != null && to.relay.isRunning()) {
        SimulatedBus.this.send(relay, to, false, message);
      }
    }

    @Override
    public void sendToAll(byte[] message) {
      for (SimulatedMachine machine : world.machines()) {
        SimulatedRelay other = machine.relay();
        Port to = other == null || other == relay ? null : ports.get(other.number());
        if (to != null) {
          SimulatedBus.this.send(relay, to, true, message);
        }
      }
    }

    @Override
    public void seek(long node) {
      SimulatedMachine own = relay.machine();
      Port to = ports.get(node);
      boolean runs = to != null && to.relay.isRunning();
      int absentPerMille =
          !runs ? 1_000 : !own.reaches(to.relay.machine()) ? 500 : isCalm ? 0 : lostPerMille;
      if (own.reaches(own) && random.nextInt(1_000) < absentPerMille) {
        relay.after(
            50 + random.nextInt(isCalm ? 1_000 : delayMicros),
            () -> {
              if (receiver != null) {
                receiver.absent(node);
              }
            });
      }
    }

    @Override
    public int maxMessageBytes() {
      return MAX_MESSAGE_BYTES;
    }

    @Override
    public void close() {}
  }
}
