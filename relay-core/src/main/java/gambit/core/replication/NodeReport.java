package gambit.core.replication;

import gambit.core.replication.BusMessage.Heartbeat;
import java.util.Optional;

/**
 * What a running node says of itself once a second or more often, for operators: see {@link
 * Heartbeat}. Immutable.
 */
public record NodeReport(long node, String name, boolean leads, long epoch, long applied) {

  /** Reads a message of the {@link Bus}; empty if it is another one, or of a newer version. */
  public static Optional<NodeReport> read(byte[] message) {
    return ClusterNode.known(message)
        .filter(it -> it.message() instanceof Heartbeat)
        .map(
            it -> {
              Heartbeat heartbeat = (Heartbeat) it.message();
              return new NodeReport(
                  it.node(),
                  heartbeat.name(),
                  heartbeat.leads(),
                  heartbeat.epoch(),
                  heartbeat.applied());
            });
  }
}
