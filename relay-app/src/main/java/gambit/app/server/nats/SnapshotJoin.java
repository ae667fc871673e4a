package gambit.app.server.nats;

import gambit.app.common.Amounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.server.data.DataDirectory;
import gambit.core.model.PubKey;
import gambit.core.replication.ClusterRow;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.SharedLog.Range;
import gambit.core.store.EventStore;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.SnapshotTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Before a node starts: replaces a store by the newest snapshot if the log no longer has the entry
 * that follows it. The connection is its own. One thread.
 */
public final class SnapshotJoin implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotJoin.class);

  /** The longest time without progress: a change among the files, or a file that was fetched. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration POLL_PERIOD = Duration.ofMillis(500);
  private static final Duration LINE_PERIOD = Duration.ofSeconds(10);

  private static final Duration RETRY_PAUSE = Duration.ofSeconds(3);

  private final NatsConnection connection;
  private final NatsLog log;
  private final NatsSnapshots snapshots;
  private final Duration patience;
  private long progressedAt = System.nanoTime(); // of the transfer

  public SnapshotJoin(ClusterSettings settings) throws CommandFailure {
    this(settings, PATIENCE);
  }

  SnapshotJoin(ClusterSettings settings, Duration patience) throws CommandFailure {
    this.connection = new NatsConnection(settings, failure -> {});
    this.log = new NatsLog(connection, settings);
    this.snapshots = new NatsSnapshots(connection, settings);
    this.patience = patience;
  }

  private static CommandFailure unusable(Exception e) {
    return NatsConnection.ClusterUnreachable.because(ErrorMessages.of(e));
  }

  /**
   * Whether a store can only follow the log with a snapshot. A store that is not of this cluster is
   * not behind; it is refused later.
   *
   * @param key the relay's; empty if the data directory has none yet
   * @throws CommandFailure when the relay's key is not that of the cluster
   */
  public boolean isBehind(EventStore store, Optional<PubKey> key) throws CommandFailure {
    try {
      Optional<NatsLog.Existing> existing = log.existing();
      if (existing.isEmpty()) {
        return false;
      }
      requireKey(existing.get(), key);
      Optional<String> own = ClusterRow.id(store);
      long applied = store.logEnd().sequence();
      boolean isOfCluster =
          own.isPresent() ? own.get().equals(existing.get().clusterId()) : applied == 0;
      return isOfCluster && applied + 1 < existing.get().range().first();
    } catch (LogUnavailable e) {
      throw unusable(e);
    }
  }

  static void requireKey(NatsLog.Existing log, Optional<PubKey> key) throws CommandFailure {
    if (log.relayKey().isEmpty()) {
      return;
    }
    if (key.isEmpty()) {
      throw new CommandFailure(
          "--data: there is no relay.key, and the cluster exists already: copy relay.key and"
              + " house.key of another node into the data directory.");
    }
    if (!key.get().hex().equals(log.relayKey())) {
      throw new CommandFailure(
          ("--data: relay.key is not that of the cluster, whose public key is %s: copy relay.key of"
                  + " another node.")
              .formatted(log.relayKey()));
    }
  }

  /**
   * Replaces the store of a directory, which is closed, by the newest snapshot. It waits until
   * there is one that the log continues. What was fetched is kept for the next attempt, also of the
   * next start.
   *
   * @param minFreeBytes that must be left on the disk
   * @throws CommandFailure when there is no room for the snapshot, or for some minutes there is
   *     none, or none of its files can be fetched, or the disk refuses to replace the store by it;
   *     the store is as it was then
   */
  public void replaceStore(DataDirectory directory, long minFreeBytes) throws CommandFailure {
    progressedAt = System.nanoTime();
    SnapshotTarget fetched = null;
    while (fetched == null) {
      BackupManifest snapshot = awaitSnapshot();
      requireKnownFormat(snapshot);
      try {
        fetched = fetch(snapshot, directory.joining(), minFreeBytes);
      } catch (IOException e) {
        if (System.nanoTime() - progressedAt > patience.toNanos()) {
          throw new CommandFailure(
              "--data: the snapshot of entry %s could not be fetched: %s."
                  .formatted(snapshot.sequence(), ErrorMessages.of(e)));
        }
        LOG.warn(
            "The snapshot of entry {} could not be fetched, trying again: {}",
            snapshot.sequence(),
            ErrorMessages.of(e));
        pause(RETRY_PAUSE);
      }
    }
    try {
      directory.replaceStore(fetched.finish());
    } catch (IOException e) {
      throw new CommandFailure(
          "--data: the store could not be replaced by the snapshot: " + ErrorMessages.of(e) + ".");
    }
  }

  private static void requireKnownFormat(BackupManifest snapshot) throws CommandFailure {
    try {
      snapshot.requireKnownFormat();
    } catch (IOException e) {
      throw new CommandFailure(
          "--data: the snapshot of the cluster cannot be used: " + ErrorMessages.of(e) + ".");
    }
  }

  private BackupManifest awaitSnapshot() throws CommandFailure {
    long changed = System.nanoTime();
    long line = changed - LINE_PERIOD.toNanos();
    int files = -1;
    String obstacle = "";
    while (System.nanoTime() - changed < patience.toNanos()) {
      try {
        Range range = log.range();
        Optional<BackupManifest> newest = snapshots.newest();
        if (newest.isPresent() && range.continues(newest.get().sequence())) {
          return newest.get();
        }
        int now = snapshots.files().size();
        if (now != files) {
          files = now;
          changed = System.nanoTime();
        }
        obstacle = "the leader of the cluster has not made one";
      } catch (IOException | LogUnavailable e) {
        obstacle = ErrorMessages.of(e);
      }
      if (System.nanoTime() - line >= LINE_PERIOD.toNanos()) {
        line = System.nanoTime();
        LOG.info("Waiting for a snapshot of the cluster's log, which no longer has all entries");
      }
      pause(POLL_PERIOD);
    }
    throw new CommandFailure(
        ("--data: the cluster's log no longer has the entries that this node lacks, and there is no"
                + " snapshot of them: %s. Start the other nodes first, those that stopped last before"
                + " all.")
            .formatted(obstacle));
  }

  private SnapshotTarget fetch(BackupManifest snapshot, Path joining, long minFreeBytes)
      throws IOException, CommandFailure {
    SnapshotTarget target = new SnapshotTarget(joining, snapshot);
    List<BackupManifest.Copy> missing = target.missing();
    long bytes = missing.stream().mapToLong(BackupManifest.Copy::length).sum();
    long usable = Files.getFileStore(joining).getUsableSpace();
    if (bytes + minFreeBytes > usable) {
      throw new CommandFailure(
          ("--data: there is no room for the snapshot of the cluster: it needs %s besides"
                  + " store.min_free, and %s are free.")
              .formatted(Amounts.ofBytes(bytes), Amounts.ofBytes(usable)));
    }
    LOG.info(
        "Fetching the snapshot of entry {}, made at {}: {} of {}",
        snapshot.sequence(),
        snapshot.time(),
        Amounts.ofBytes(bytes),
        Amounts.ofBytes(snapshot.totalBytes()));
    TransferProgress progress =
        new TransferProgress("Fetching the snapshot of entry " + snapshot.sequence(), bytes);
    for (BackupManifest.Copy file : missing) {
      target.receive(file, out -> snapshots.getFile(file.sha256(), progress.counted(out)));
      progressedAt = System.nanoTime();
    }
    LOG.info(
        "Fetched the snapshot of entry {} in {} s; its index is built next",
        snapshot.sequence(),
        String.format(Locale.ROOT, "%.1f", progress.seconds()));
    return target;
  }

  /** Waits, in a start that an interrupt ends. */
  static void pause(Duration pause) throws CommandFailure {
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("cluster.servers: the start was interrupted.");
    }
  }

  @Override
  public void close() {
    log.close();
    connection.close();
  }
}
