package gambit.app.command.cluster;

import gambit.app.common.Amounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.nats.ClusterSettings;
import gambit.app.server.nats.NatsBus;
import gambit.app.server.nats.NatsConnection;
import gambit.app.server.nats.NatsLog;
import gambit.app.server.nats.NatsSnapshots;
import gambit.app.server.settings.ConfigOptions;
import gambit.app.server.settings.Settings;
import gambit.core.crypto.Signer;
import gambit.core.replication.ClusterRow;
import gambit.core.replication.NodeReport;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.SharedLog.Range;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.DiskEventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gambit cluster}: the state of a cluster, and its repair after a disaster. */
@Command(
    name = "cluster",
    description = "Shows the state of a cluster of relays, or repairs it after a loss of NATS.",
    mixinStandardHelpOptions = true,
    subcommands = {ClusterCommand.Status.class, ClusterCommand.Seed.class},
    footer = {
      "  gambit cluster status --config /etc/gambit.conf",
      "  gambit cluster seed --data /var/lib/gambit"
    })
public final class ClusterCommand {

  private static ClusterSettings settings(ConfigOptions options) throws CommandFailure {
    ClusterSettings settings = Settings.read(options.sources(System.getenv()).load()).cluster();
    if (!settings.isOn()) {
      throw new CommandFailure(
          "cluster.servers: it is not set, so this relay is not in a cluster.");
    }
    return settings;
  }

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
        "1:something is wrong, with a sentence for each fault on standard error"
      },
      footer = {
        "  gambit cluster status --config /etc/gambit.conf",
        "  gambit cluster status --set cluster.servers=nats://10.0.0.1:4222"
      })
  static final class Status extends ConsoleCommand {
    @Mixin private ConfigOptions options = new ConfigOptions();

    private final List<String> faults = new ArrayList<>();

    @Override
    protected int run() throws InterruptedException {
      try {
        ClusterSettings settings = settings(options);
        try (Observer cluster = new Observer(settings)) {
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

    private void show(String name, Observer cluster)
        throws LogUnavailable, IOException, InterruptedException {
      Optional<NatsLog.Existing> log = cluster.log().existing();
      List<NodeReport> nodes = cluster.nodes();
      if (log.isEmpty()) {
        faults.add(
            "NATS has no log %s: start the first node, or see `gambit cluster seed` if there was one."
                .formatted(name));
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
        String name = "%s (%016x)".formatted(node.name(), node.node());
        print(
            "node %s: %s, epoch %s, entry %s, %s behind"
                .formatted(
                    name,
                    node.leads() ? "leads" : "follows",
                    node.epoch(),
                    node.applied(),
                    behind == 1 ? "1 entry" : behind + " entries"));
        if (behind > 0) {
          faults.add("Node " + name + " does not keep up.");
        }
      }
      if (nodes.stream().noneMatch(NodeReport::leads)) {
        faults.add(nodes.isEmpty() ? "No node runs." : "No node leads.");
      }
    }

    private void show(NatsLog.LogServers servers, int wanted) {
      boolean areSeveral = servers.current().size() > 1;
      print(
          "NATS: %s, %s%s"
              .formatted(
                  servers.leadership(),
                  Amounts.of(servers.replicas(), "replica"),
                  areSeveral ? ", current at " + String.join(", ", servers.current()) : ""));
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

  /**
   * {@code gambit cluster seed}: makes a new log for a cluster whose NATS servers have lost it,
   * which continues the copy of a node that is stopped.
   */
  @Command(
      name = "seed",
      description = {
        "Makes a new log for a cluster whose NATS servers have lost theirs. It continues the copy of"
            + " this node, which must be stopped.",
        "Use the most advanced node: what others have beyond it is lost. Compare with --check."
      },
      exitCodeList = {
        "0:the log is there, and continues this node's copy; with --check, the newest entry is"
            + " printed",
        "1:refused, or not done completely, with the reason in a sentence"
      },
      footer = {
        "  gambit cluster seed --check --data /var/lib/gambit      on each node",
        "  gambit cluster seed --data /var/lib/gambit              on that with the greatest number"
      })
  static final class Seed extends ConsoleCommand {
    @Mixin private ConfigOptions options = new ConfigOptions();

    @Option(
        names = "--check",
        description = "Only prints the newest entry of this node. Needs no settings but --data.")
    private boolean isCheck;

    private record Copy(String clusterId, String relayKey, long newest, long epoch) {}

    @Override
    protected int run() throws CommandFailure, InterruptedException {
      try {
        Optional<ClusterSettings> settings =
            isCheck
                ? Optional.empty() // it reads nothing but the directory
                : Optional.of(settings(options));
        Path path = options.dataDirectory(System.getenv()).toAbsolutePath().normalize();
        if (Files.notExists(path.resolve("store"))) {
          throw new CommandFailure("--data: there is no store in " + path + ".");
        }
        try (DataDirectory directory = new DataDirectory(path)) {
          Copy copy = read(directory);
          print(
              settings.isEmpty()
                  ? "Newest entry " + copy.newest() + "."
                  : seed(settings.get(), copy));
        }
        return 0;
      } catch (LogUnavailable | IOException e) {
        throw new CommandFailure("Not seeded: " + ErrorMessages.of(e) + ".");
      }
    }

    private static Copy read(DataDirectory directory) throws CommandFailure {
      Optional<Signer> key = directory.readKey();
      try (DiskEventStore store = directory.openStore(0)) {
        Optional<String> id = ClusterRow.id(store);
        if (id.isEmpty() || key.isEmpty()) {
          throw new CommandFailure(
              "--data: this relay has never been in a cluster: start it, and it makes the log.");
        }
        return new Copy(
            id.get(), key.get().pubkey().hex(), store.logEnd().sequence(), ClusterRow.epoch(store));
      }
    }

    private static String seed(ClusterSettings settings, Copy copy)
        throws CommandFailure, LogUnavailable, IOException, InterruptedException {
      try (Observer cluster = new Observer(settings)) {
        Optional<NatsLog.Existing> existing = cluster.log().existing();
        if (existing.isPresent()) {
          requireSeeded(settings.name(), existing.get(), copy);
          String found = "The log " + settings.name() + " continues this node's copy already.";
          if (!cluster.nodes().isEmpty()) { // it may be an old one, which has had no entry for long
            return found + " Nodes run, so the snapshots are left as they are.";
          }
          deleteSnapshots(cluster); // perhaps that could not be done before
          return found;
        }
        for (NodeReport other : cluster.nodes()) {
          requireLessAdvanced(other, copy);
        }
        if (!cluster.log().create(copy.newest() + 1, copy.clusterId(), copy.relayKey())) {
          throw new CommandFailure("Not seeded: somebody else has just made the log.");
        }
        deleteSnapshots(cluster);
        return "Made the log %s, which begins with entry %s. Start this node first, then the others."
            .formatted(settings.name(), copy.newest() + 1);
      }
    }

    /** Those of the earlier log, which may be newer than the copy. */
    private static void deleteSnapshots(Observer cluster) throws CommandFailure {
      try {
        cluster.snapshots().deleteAll();
      } catch (IOException e) {
        throw new CommandFailure(
            ("The log was made, but the snapshots of the earlier one could not be deleted: %s. Run"
                    + " this again before you start a node.")
                .formatted(ErrorMessages.of(e)));
      }
    }

    private static void requireSeeded(String name, NatsLog.Existing log, Copy copy)
        throws CommandFailure {
      Range range = log.range();
      boolean isSeeded =
          log.clusterId().equals(copy.clusterId())
              && range.first() > range.last()
              && range.last() == copy.newest();
      if (!isSeeded) {
        String cluster = log.clusterId().equals(copy.clusterId()) ? "" : ", of another cluster";
        String entries =
            range.first() > range.last()
                ? "without entries; the next is " + range.first()
                : "with entries " + range.first() + " to " + range.last();
        throw new CommandFailure(
            ("Not seeded: the log %1$s exists%2$s, %3$s, and the newest of this node is %4$s. A log"
                    + " that has lost nothing needs no seed: start the nodes. Otherwise set another"
                    + " cluster.name, or delete it first: nats stream rm %1$s.")
                .formatted(name, cluster, entries, copy.newest()));
      }
    }

    private static void requireLessAdvanced(NodeReport other, Copy copy) throws CommandFailure {
      if (other.applied() > copy.newest() || other.epoch() > copy.epoch()) {
        throw new CommandFailure(
            ("Not seeded: node %s runs and has entry %s of epoch %s, and the newest of this"
                    + " node is %s of epoch %s: stop that one and seed from it.")
                .formatted(
                    other.name(), other.applied(), other.epoch(), copy.newest(), copy.epoch()));
      }
    }
  }

  /**
   * A cluster as a command sees it that is not one of its nodes. It hears the nodes that run from
   * its beginning on. One thread.
   */
  static final class Observer implements AutoCloseable {
    /** In this time, each running node reports at least twice. */
    private static final Duration REPORTS = Duration.ofMillis(2500);

    private final NatsConnection connection;
    private final NatsBus bus;
    private final NatsLog log;
    private final NatsSnapshots snapshots;
    private final Map<Long, NodeReport> reports = new ConcurrentHashMap<>();
    private final long start = System.nanoTime();

    Observer(ClusterSettings settings) throws CommandFailure {
      this.connection = new NatsConnection(settings, failure -> {});
      this.log = new NatsLog(connection, settings);
      this.bus = new NatsBus(connection, settings);
      this.snapshots = new NatsSnapshots(connection, settings);
      bus.listen(
          new SecureRandom().nextLong(1, Long.MAX_VALUE),
          message -> NodeReport.read(message).ifPresent(it -> reports.put(it.node(), it)));
    }

    NatsLog log() {
      return log;
    }

    int replicas() {
      return connection.replicas();
    }

    /** The newest report of each node that runs, the most advanced first. Waits for them. */
    List<NodeReport> nodes() throws InterruptedException {
      long waited = System.nanoTime() - start;
      TimeUnit.NANOSECONDS.sleep(Math.max(0, REPORTS.toNanos() - waited));
      return reports.values().stream()
          .sorted(
              Comparator.comparing(NodeReport::leads)
                  .thenComparing(NodeReport::applied)
                  .reversed()
                  .thenComparing(NodeReport::name))
          .toList();
    }

    NatsSnapshots snapshots() {
      return snapshots;
    }

    @Override
    public void close() {
      bus.close();
      log.close();
      connection.close();
    }
  }
}
