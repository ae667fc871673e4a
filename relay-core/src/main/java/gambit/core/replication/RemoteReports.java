package gambit.core.replication;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reports that the leader expects from other nodes on output that it has sent there. At most
 * 10,000 are expected: beyond that, the oldest is taken to be negative. So is every one that a node
 * owes when it goes. Thread-safe; consumers are called on the thread of the call.
 */
final class RemoteReports {
  static final int MAX_EXPECTED = 10_000;

  /** A report that a node owes. */
  private record Expected(long node, Consumer<Boolean> consumer) {}

  @GuardedBy("this")
  private final Map<Long, Expected> expected = new LinkedHashMap<>();

  @GuardedBy("this")
  private long lastNumber;

  /**
   * No reports are expected.
   *
   * @param lastNumber numbers begin after it: chosen by chance, since a late report to an earlier
   *     leader may arrive
   */
  RemoteReports(long lastNumber) {
    this.lastNumber = lastNumber;
  }

  /**
   * Expects a report of a node.
   *
   * @param consumer called once: with true if the node has sent what the report is about
   * @return the number of the report, which is not 0
   */
  long expect(long node, Consumer<Boolean> consumer) {
    Expected oldest = null;
    long number;
    synchronized (this) {
      number = ++lastNumber;
      expected.put(number, new Expected(node, consumer));
      if (expected.size() > MAX_EXPECTED) {
        Iterator<Expected> all = expected.values().iterator();
        oldest = all.next();
        all.remove();
      }
    }
    if (oldest != null) {
      oldest.consumer().accept(false);
    }
    return number;
  }

  /** A node has reported; a number that is not expected of it has no effect. */
  void report(long node, long number, boolean isSent) {
    Expected found = remove(node, number);
    if (found != null) {
      found.consumer().accept(isSent);
    }
  }

  private synchronized @Nullable Expected remove(long node, long number) {
    Expected found = expected.get(number);
    return found != null && found.node() == node ? expected.remove(number) : null;
  }

  /** A node has gone, so that it will not report any more. */
  void nodeGone(long node) {
    removeAllOf(node).forEach(it -> it.consumer().accept(false));
  }

  private synchronized List<Expected> removeAllOf(long node) {
    List<Expected> removed = new ArrayList<>();
    for (Iterator<Expected> all = expected.values().iterator(); all.hasNext(); ) {
      Expected each = all.next();
      if (each.node() == node) {
        removed.add(each);
        all.remove();
      }
    }
    return removed;
  }

  /** The number of reports that are expected. */
  synchronized int size() {
    return expected.size();
  }
}
