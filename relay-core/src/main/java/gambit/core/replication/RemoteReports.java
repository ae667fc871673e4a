package gambit.core.replication;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The reports that the leader expects of nodes on output that they send. An output counts as sent
 * with the first positive report, as not sent when all are negative. The leader waits in the same
 * way for the nodes to forward what has arrived, which is reported negatively. At most 10,000
 * outputs wait: beyond that, the oldest is taken as not sent. A node that goes has reported
 * negatively on all. Thread-safe; consumers are called on the thread of the call.
 */
final class RemoteReports {
  static final int MAX_EXPECTED = 10_000;

  /** The number of the leader's own node among those that report. */
  static final long HERE = 0;

  /** An output, with the nodes that have not reported yet. */
  private record Expected(Set<Long> nodes, Consumer<Boolean> consumer) {}

  @GuardedBy("this")
  private final Map<Long, Expected> expected = new LinkedHashMap<>();

  @GuardedBy("this")
  private long lastNumber;

  /**
   * Numbers begin after one that is chosen by chance, since a late report to an earlier leader may
   * arrive.
   */
  RemoteReports(long lastNumber) {
    this.lastNumber = lastNumber;
  }

  /**
   * Expects a report of each of some nodes, under the number that is returned, which is not 0. The
   * consumer is called once, with whether one of them has sent what the reports are about.
   */
  long expect(Set<Long> nodes, Consumer<Boolean> consumer) {
    Expected oldest = null;
    long number;
    synchronized (this) {
      number = ++lastNumber;
      expected.put(number, new Expected(new HashSet<>(nodes), consumer));
      if (expected.size() > MAX_EXPECTED) {
        oldest = expected.remove(expected.keySet().iterator().next());
      }
    }
    if (oldest != null) {
      oldest.consumer().accept(false);
    }
    return number;
  }

  /** A node has reported; a number that is not expected of it has no effect. */
  void report(long node, long number, boolean isSent) {
    Consumer<Boolean> consumer;
    synchronized (this) {
      Expected found = expected.get(number);
      if (found == null || !found.nodes().remove(node) || !(isSent || found.nodes().isEmpty())) {
        return;
      }
      expected.remove(number);
      consumer = found.consumer();
    }
    consumer.accept(isSent);
  }

  void nodeGone(long node) {
    List<Long> numbers;
    synchronized (this) {
      numbers = List.copyOf(expected.keySet());
    }
    numbers.forEach(number -> report(node, number, false));
  }

  synchronized int size() {
    return expected.size();
  }
}
