package gambit.core.replication;

import gambit.core.lane.Deadlines;
import gambit.core.replication.message.BusCodec;
import gambit.core.replication.message.BusMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Waits until every message that has arrived at any node has been handled: the nodes forward what
 * they have read, and say so. The writer's thread only, except {@link #await}.
 */
final class Fences {
  /** The longest wait for other nodes. */
  static final Duration TIMEOUT = Duration.ofMillis(250);

  private final Bus bus;
  private final long node;
  private final Executor writer;
  private final Deadlines deadlines;
  private final Map<Long, Fence> waiting = new HashMap<>();
  private long last;

  private record Fence(Set<Long> nodes, Runnable then) {}

  private record TimeoutKey(Fences owner, long number) {}

  /**
   * No fences.
   *
   * @param lastNumber numbers begin after it: chosen by chance, since a late answer to an earlier
   *     leader may arrive
   * @param writer runs tasks on the writer's thread
   */
  Fences(Bus bus, long node, long lastNumber, Executor writer, Deadlines deadlines) {
    this.last = lastNumber;
    this.bus = bus;
    this.node = node;
    this.writer = writer;
    this.deadlines = deadlines;
  }

  /**
   * Runs {@code then} when all messages are handled that have arrived at this node and at others,
   * or after {@link #TIMEOUT}, if this node's are.
   *
   * @param here runs its argument when those of this node are handled
   */
  void await(Set<Long> nodes, Consumer<Runnable> here, Runnable then) {
    long number = ++last;
    Set<Long> left = new HashSet<>(nodes);
    left.add(node);
    waiting.put(number, new Fence(left, then));
    here.accept(() -> writer.execute(() -> passed(number, node)));
    if (!nodes.isEmpty()) {
      byte[] request = BusCodec.encode(node, new BusMessage.FenceRequest(number));
      nodes.forEach(other -> bus.send(other, request));
      deadlines.set(
          new TimeoutKey(this, number), TIMEOUT, () -> writer.execute(() -> timedOut(number)));
    }
  }

  /** A node has forwarded what had arrived. */
  void passed(long number, long from) {
    Fence fence = waiting.get(number);
    if (fence != null && fence.nodes().remove(from) && fence.nodes().isEmpty()) {
      waiting.remove(number);
      deadlines.cancel(new TimeoutKey(this, number));
      fence.then().run();
    }
  }

  private void timedOut(long number) {
    Fence fence = waiting.get(number);
    if (fence != null) {
      fence.nodes().retainAll(Set.of(node));
      if (fence.nodes().isEmpty()) {
        waiting.remove(number);
        fence.then().run();
      }
    }
  }

  /** A node has gone. */
  void nodeGone(long gone) {
    Set.copyOf(waiting.keySet()).forEach(number -> passed(number, gone));
  }
}
