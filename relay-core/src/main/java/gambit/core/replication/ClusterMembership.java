package gambit.core.replication;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * What makes a relay a node of a cluster.
 *
 * @param node a number that the process has chosen by chance
 * @param id the id of the cluster, 16 bytes
 * @param onOvertaken another node has taken over from this one, which must start anew; the argument
 *     is the cause. Any thread; may be called again
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares memberships
public record ClusterMembership(
    SharedLog log,
    Bus bus,
    long node,
    String name,
    byte[] id,
    Duration takeoverAfter,
    Duration maxStaleness,
    Consumer<String> onOvertaken) {

  /** Where the numbers of its requests as a leader begin: elsewhere than those of another node. */
  long firstNumber() {
    return node >>> 24; // leaves room above
  }
}
