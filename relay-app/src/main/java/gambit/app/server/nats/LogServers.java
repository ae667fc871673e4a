package gambit.app.server.nats;

import io.nats.client.api.ClusterInfo;
import io.nats.client.api.Replica;
import io.nats.client.api.StreamInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The NATS servers that have the log. Immutable.
 *
 * @param leader of the stream; empty if there is none, or the server is alone
 * @param current those with all entries, the leader first
 * @param behind those that lack entries, or cannot be reached
 * @param replicas how many servers should have it
 */
public record LogServers(String leader, List<String> current, List<String> behind, int replicas) {

  public LogServers {
    current = List.copyOf(current);
    behind = List.copyOf(behind);
  }

  static LogServers of(StreamInfo info) {
    int replicas = info.getConfiguration().getReplicas();
    ClusterInfo cluster = info.getClusterInfo();
    String leader = cluster == null ? "" : text(cluster.getLeader());
    List<String> current = new ArrayList<>();
    List<String> behind = new ArrayList<>();
    if (!leader.isEmpty()) {
      current.add(leader);
    }
    List<Replica> others = cluster == null ? null : cluster.getReplicas();
    for (Replica each : others == null ? List.<Replica>of() : others) {
      (NatsLog.isCurrent(each) ? current : behind).add(each.getName());
    }
    return new LogServers(leader, current, behind, replicas);
  }

  /**
   * How many have all entries, as the stream's leader knows them. While there is none, the server
   * that answers is among the others.
   */
  int currentReplicas() {
    return current.isEmpty() && behind.isEmpty() ? 1 : current.size();
  }

  /** Which of them leads, for the operator. */
  public String leadership() {
    if (!leader.isEmpty()) {
      return leader + " leads";
    }
    return current.isEmpty() && behind.isEmpty() ? "one server" : "no server leads";
  }

  private static String text(@Nullable String name) {
    return name == null ? "" : name;
  }
}
