package gambit.app.server.nats;

import gambit.app.common.Amounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.core.log.LimitedLog;
import gambit.core.replication.SharedLog;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.SnapshotSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a snapshot from which another node can join, while this node leads: it makes one when there
 * is none, when the newest is older than a quarter of {@code cluster.keep}, or when the log does
 * not have the entry after it, or never had its last one. The thread {@code snapshots}, with a
 * connection of its own while it copies, at {@link #BYTES_PER_SECOND} at most. Files that the
 * snapshot before had are not copied again.
 */
final class SnapshotMaker implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(SnapshotMaker.class);

  /** The servers sync what they get, and the log is on the same disks. */
  private static final long BYTES_PER_SECOND = 32 << 20;

  private static final Duration CHECK_PERIOD = Duration.ofSeconds(1);

  /** The same while there is a snapshot that the log continued. */
  private static final Duration QUIET_PERIOD = Duration.ofSeconds(5);

  private static final Duration RETRY_DELAY = Duration.ofSeconds(30);

  /** The newest snapshot is looked for again after this time, in case somebody deleted it. */
  private static final Duration LOOK_PERIOD = Duration.ofMinutes(5);

  /** After a snapshot, sooner: an earlier leader may have deleted files that it did not list. */
  private static final Duration FIRST_LOOK = Duration.ofSeconds(30);

  private static final int SNAPSHOTS_PER_KEEP = 4;

  private final ClusterSettings settings;
  private final SharedLog log;
  private final NatsSnapshots known;
  private final Path store;
  private final BooleanSupplier leads;
  private final InstantSource time;
  private final Consumer<Throwable> onDeath;
  private final Thread thread = new Thread(this::run, "snapshots");
  private volatile boolean isOpen = true;
  private @Nullable BackupManifest made; // last by this process, perhaps not completely copied
  private @Nullable BackupManifest newest; // as of the last look
  private boolean isNewestKnown;
  private long nextLook = System.nanoTime(); // by System.nanoTime

  SnapshotMaker(
      NatsConnection connection,
      ClusterSettings settings,
      SharedLog log,
      Path store,
      BooleanSupplier leads,
      InstantSource time,
      Consumer<Throwable> onDeath) {
    this.settings = settings;
    this.log = log;
    this.known = new NatsSnapshots(connection, settings);
    this.store = store;
    this.leads = leads;
    this.time = time;
    this.onDeath = onDeath;
    thread.setDaemon(true);
    thread.start();
  }

  private boolean isActive() {
    return isOpen && leads.getAsBoolean();
  }

  private void run() {
    try {
      while (isOpen) {
        Duration pause = CHECK_PERIOD;
        try {
          if (!isActive()) {
            isNewestKnown = false;
          } else if (isDue()) {
            make();
          } else {
            pause = QUIET_PERIOD;
          }
        } catch (IOException | LogUnavailable | CommandFailure e) {
          if (isOpen) {
            LOG.warn("A snapshot for other nodes could not be made: {}", ErrorMessages.of(e));
          }
          pause = RETRY_DELAY;
        }
        Thread.sleep(pause.toMillis());
      }
    } catch (InterruptedException e) {
      // it is being closed
    } catch (Throwable e) {
      if (isOpen) {
        onDeath.accept(e);
      }
    }
  }

  private boolean isDue() throws IOException, LogUnavailable {
    boolean isLookDue = System.nanoTime() - nextLook >= 0;
    if (!isNewestKnown || isLookDue) {
      newest = known.newest().orElse(null);
      if (newest != null && !hasFiles(known, newest)) {
        newest = null;
      }
      isNewestKnown = true;
    }
    if (isLookDue) {
      known.purgeAbandoned();
      nextLook = System.nanoTime() + LOOK_PERIOD.toNanos();
    }
    BackupManifest current = newest;
    if (current == null) {
      return true;
    }
    Duration interval = settings.keep().dividedBy(SNAPSHOTS_PER_KEEP);
    return !time.instant().isBefore(current.time().plus(interval))
        || !log.range().continues(current.sequence());
  }

  private void make() throws IOException, CommandFailure, LogUnavailable {
    Instant now = time.instant().truncatedTo(ChronoUnit.SECONDS);
    try (SnapshotSource source = SnapshotSource.open(store, made, now);
        NatsConnection own = new NatsConnection(settings, SnapshotMaker::ignore)) {
      BackupManifest list = source.list();
      made = list;
      NatsSnapshots snapshots = new NatsSnapshots(own, settings);
      Set<String> present = snapshots.files();
      long bytes =
          list.files().stream()
              .filter(it -> !present.contains(it.sha256()))
              .mapToLong(BackupManifest.Copy::length)
              .sum();
      TransferProgress progress =
          new TransferProgress("Copying a snapshot of entry " + list.sequence(), bytes);
      for (BackupManifest.Copy file : list.files()) {
        if (!isActive()) {
          return;
        }
        if (!present.contains(file.sha256())) {
          snapshots.putFile(file.sha256(), progress.paced(source.read(file), BYTES_PER_SECOND));
        }
      }
      if (isActive() && isNewest(list, snapshots.newest()) && hasFiles(snapshots, list)) {
        snapshots.complete(list);
        newest = list;
        nextLook = System.nanoTime() + FIRST_LOOK.toNanos();
        snapshots.deleteAllBut(list);
        warnOfReplicas(snapshots, own.replicas());
        LOG.info(
            "Made a snapshot of entry {} for other nodes: {}, {} of them copied in {} s",
            list.sequence(),
            Amounts.ofBytes(list.totalBytes()),
            Amounts.ofBytes(progress.doneBytes()),
            String.format(Locale.ROOT, "%.1f", progress.seconds()));
      } else {
        isNewestKnown = false;
      }
    }
  }

  /**
   * Whether there is no newer one: this node may have stood still while another one led. One that
   * is newer than the log is of an earlier log.
   */
  private boolean isNewest(BackupManifest list, Optional<BackupManifest> other)
      throws LogUnavailable {
    return other.isEmpty()
        || other.get().sequence() <= list.sequence()
        || other.get().sequence() > log.range().last();
  }

  /** Whether all files are there; another leader may have deleted some. If so, it begins again. */
  private static boolean hasFiles(NatsSnapshots snapshots, BackupManifest list) throws IOException {
    Set<String> present = snapshots.files();
    return list.files().stream().allMatch(file -> present.contains(file.sha256()));
  }

  private static void warnOfReplicas(NatsSnapshots snapshots, int wanted) throws IOException {
    int found = snapshots.replicas().orElse(wanted);
    if (found < wanted) {
      LOG.warn(
          "The snapshot for other nodes has {} instead of {} replicas: nats stream edit {}"
              + " --replicas {}",
          found,
          wanted,
          snapshots.stream(),
          wanted);
    }
  }

  /** The transfer fails, too; the main connection ends the node if it is refused for good. */
  private static void ignore(Throwable failure) {}

  /** Lets the thread end soon; does not wait for it. */
  @Override
  public void close() {
    isOpen = false;
    thread.interrupt();
  }
}
