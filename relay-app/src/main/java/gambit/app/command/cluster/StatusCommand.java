package gambit.app.command.cluster;

import gambit.app.common.Amounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.server.nats.ClusterObserver;
import gambit.app.server.nats.ClusterSettings;
import gambit.app.server.nats.LogServers;
import gambit.app.server.nats.NatsLog;
import gambit.app.server.nats.NatsSnapshots;
import gambit.app.server.settings.ConfigOptions;
import gambit.core.replication.NodeReport;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.SharedLog.Range;
import gambit.core.store.disk.backup.BackupManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code gambit cluster status}: what runs and how far each node is. It asks NATS and hears the
 * nodes; it needs no data directory.
 */
@Command(
    name = "status",
    description = {
      "Shows the nodes of a cluster that run, how far each of them is, its log and its newest"
          + " snapshot.",
      "It may run on any machine that reaches NATS. Nodes that do not run are not shown."
    },
    exitCodeList = {
      "0:a node leads, the others keep up, the log has its replicas, all of them current, and there"
          + " is a snapshot that it continues",
      "1:something is wrong, with a sentence for each fault on standard error",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  gambit cluster status --config /etc/gambit.conf",
      "  gambit cluster status --set cluster.servers=nats://10.0.0.1:4222"
    })
public final class StatusCommand extends ConsoleCommand {
  @Mixin private ConfigOptions options = new ConfigOptions();

  private final List<String> faults = new ArrayList<>();

  @Override
  protected int run() throws InterruptedException {
    try {
      ClusterSettings settings = ClusterCommand.settings(options, System.getenv());
      try (ClusterObserver cluster = new ClusterObserver(settings)) {
        show(settings.name(), cluster);
      }
    } catch (CommandFailure e) {
      faults.add(e.sentence());
    } catch (LogUnavailable | IOException e) {
      faults.add("The cluster cannot be seen: " + ErrorMessages.of(e) + ".");
    }
    printError(faults.toArray(String[]::new));
    return faults.isEmpty() ? 0 : 1;
  }

  private void show(String name, ClusterObserver cluster)
      throws LogUnavailable, IOException, InterruptedException {
    Optional<NatsLog.Existing> log = cluster.log().existing();
    List<NodeReport> nodes = cluster.nodes();
    if (log.isEmpty()) {
      faults.add(
          "NATS has no log "
              + name
              + ": start the first node, or see `gambit cluster seed` if there was one.");
    }
    Range range = log.map(NatsLog.Existing::range).orElse(new Range(1, 0));
    show(nodes, range.last());
    if (log.isPresent()) {
      print(
          range.last() < range.first()
              ? "log " + name + ": no entries, the next is " + range.first()
              : "log " + name + ": entries " + range.first() + " to " + range.last());
      cluster.log().servers().ifPresent(it -> show(it, cluster.replicas()));
      show(cluster.snapshots(), cluster.replicas(), cluster.log());
    }
  }

  private void show(List<NodeReport> nodes, long last) {
    for (NodeReport node : nodes) {
      long behind = Math.max(0, last - node.applied());
      print(
          String.format(
              Locale.ROOT,
              "node %s (%016x): %s, epoch %d, entry %d, %s behind",
              node.name(),
              node.node(),
              node.leads() ? "leads" : "follows",
              node.epoch(),
              node.applied(),
              behind == 1 ? "1 entry" : behind + " entries"));
      if (behind > 0) {
        faults.add(
            String.format(
                Locale.ROOT, "Node %s (%016x) does not keep up.", node.name(), node.node()));
      }
    }
    if (nodes.stream().noneMatch(NodeReport::leads)) {
      faults.add(nodes.isEmpty() ? "No node runs." : "No node leads.");
    }
  }

  private void show(LogServers servers, int wanted) {
    print(
        "NATS: "
            + servers.leadership()
            + ", "
            + Amounts.of(servers.replicas(), "replica")
            + (servers.current().size() > 1
                ? ", current at " + String.join(", ", servers.current())
                : ""));
    if (servers.replicas() < wanted) {
      faults.add("The log has " + servers.replicas() + " instead of " + wanted + " replicas.");
    }
    for (String server : servers.behind()) {
      faults.add("The NATS server " + server + " lacks entries, or cannot be reached.");
    }
  }

  private void show(NatsSnapshots snapshots, int wanted, NatsLog log)
      throws IOException, LogUnavailable {
    Optional<BackupManifest> newest = snapshots.newest();
    Range range = log.range(); // afterwards, since both grow
    newest.ifPresent(
        it ->
            print(
                "snapshot: entry %s, of %s, %s"
                    .formatted(it.sequence(), it.time(), Amounts.ofBytes(it.totalBytes()))));
    int replicas = snapshots.replicas().orElse(wanted);
    if (replicas < wanted) {
      faults.add(
          "The snapshot has %s instead of %s replicas: nats stream edit %s --replicas %s"
              .formatted(replicas, wanted, snapshots.stream(), wanted));
    }
    if (newest.isEmpty() || !range.continues(newest.get().sequence())) {
      faults.add(
          newest.isEmpty()
              ? "There is no snapshot for new nodes yet."
              : "The log does not continue the snapshot; the leader must make a new one.");
    }
  }
}
