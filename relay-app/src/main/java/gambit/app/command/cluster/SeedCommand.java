package gambit.app.command.cluster;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.data.StartFailure;
import gambit.app.server.nats.ClusterObserver;
import gambit.app.server.nats.ClusterSettings;
import gambit.app.server.nats.NatsLog;
import gambit.app.server.settings.ConfigOptions;
import gambit.core.crypto.Signer;
import gambit.core.replication.ClusterRow;
import gambit.core.replication.NodeReport;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.SharedLog.Range;
import gambit.core.store.disk.DiskEventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gambit cluster seed}: makes a new log for a cluster whose NATS servers have lost it, which
 * continues the copy of a node that is stopped.
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
      "1:refused, or not done completely, with the reason in a sentence",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  gambit cluster seed --check --data /var/lib/gambit      on each node",
      "  gambit cluster seed --data /var/lib/gambit              on that with the greatest number"
    })
public final class SeedCommand extends ConsoleCommand {
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
              : Optional.of(ClusterCommand.settings(options, System.getenv()));
      Path path = options.dataDirectory(System.getenv()).toAbsolutePath().normalize();
      if (Files.notExists(path.resolve("store"))) {
        throw new StartFailure("--data: there is no store in " + path + ".");
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

  private static Copy read(DataDirectory directory) throws StartFailure {
    Optional<Signer> key = directory.readKey();
    try (DiskEventStore store = directory.openStore(0)) {
      Optional<String> id = ClusterRow.id(store);
      if (id.isEmpty() || key.isEmpty()) {
        throw new StartFailure(
            "--data: this relay has never been in a cluster: start it, and it makes the log.");
      }
      return new Copy(
          id.get(), key.get().pubkey().hex(), store.logEnd().sequence(), ClusterRow.epoch(store));
    }
  }

  private static String seed(ClusterSettings settings, Copy copy)
      throws StartFailure, LogUnavailable, IOException, InterruptedException {
    try (ClusterObserver cluster = new ClusterObserver(settings)) {
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
        throw new StartFailure("Not seeded: somebody else has just made the log.");
      }
      deleteSnapshots(cluster);
      return "Made the log "
          + settings.name()
          + ", which begins with entry "
          + (copy.newest() + 1)
          + ". Start this node first, then the others.";
    }
  }

  /** Those of the earlier log, which may be newer than the copy. */
  private static void deleteSnapshots(ClusterObserver cluster) throws StartFailure {
    try {
      cluster.snapshots().deleteAll();
    } catch (IOException e) {
      throw new StartFailure(
          "The log was made, but the snapshots of the earlier one could not be deleted: "
              + ErrorMessages.of(e)
              + ". Run this again before you start a node.");
    }
  }

  private static void requireSeeded(String name, NatsLog.Existing log, Copy copy)
      throws StartFailure {
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
      throw new StartFailure(
          ("Not seeded: the log %1$s exists%2$s, %3$s, and the newest of this node is %4$s. A log"
                  + " that has lost nothing needs no seed: start the nodes. Otherwise set another"
                  + " cluster.name, or delete it first: nats stream rm %1$s.")
              .formatted(name, cluster, entries, copy.newest()));
    }
  }

  private static void requireLessAdvanced(NodeReport other, Copy copy) throws StartFailure {
    if (other.applied() > copy.newest() || other.epoch() > copy.epoch()) {
      throw new StartFailure(
          ("Not seeded: node %s runs and has entry %s of epoch %s, and the newest of this"
                  + " node is %s of epoch %s: stop that one and seed from it.")
              .formatted(
                  other.name(), other.applied(), other.epoch(), copy.newest(), copy.epoch()));
    }
  }
}
