package gambit.app.server.nats;

import gambit.app.common.Amounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.model.PubKey;
import gambit.core.replication.ClusterMembership;
import gambit.core.replication.ClusterRow;
import gambit.core.replication.SharedLog;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.LogEnd;
import gambit.core.store.disk.BackupManifest;
import gambit.core.store.disk.SnapshotSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's place in its cluster: the connection to NATS, the log and the bus. It makes the log if
 * there is none, so that a single relay becomes the first node of a cluster with its data.
 */
public final class NatsCluster implements AutoCloseable {
  private static final int ID_BYTES = 16;

  /** A stream's leader that was just elected may not yet know the newest entries for this time. */
  private static final Duration ELECTION_TIME = Duration.ofSeconds(5);

  private static final Duration POLL_PERIOD = Duration.ofMillis(250);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final NatsConnection connection;
  private final ClusterSettings settings;
  private final ClusterMembership membership;

  private NatsCluster(
      NatsConnection connection, ClusterSettings settings, ClusterMembership membership) {
    this.connection = connection;
    this.settings = settings;
    this.membership = membership;
  }

  /**
   * Connects, and checks that the store is a copy of the cluster's log, or can become one.
   *
   * @param onFailure receives a failure after which the node cannot continue
   * @throws CommandFailure when the cluster cannot be reached, or the store is not of this cluster
   */
  public static NatsCluster connect(
      ClusterSettings settings,
      EventStore store,
      PubKey key,
      Consumer<String> onOvertaken,
      Consumer<Throwable> onFailure)
      throws CommandFailure {
    NatsConnection connection = new NatsConnection(settings, onFailure);
    boolean isConnected = false;
    try {
      NatsLog log = new NatsLog(connection, settings);
      String id = joinLog(log, new NatsSnapshots(connection, settings), store, key);
      ClusterMembership membership =
          new ClusterMembership(
              log,
              new NatsBus(connection, settings),
              RANDOM.nextLong(1, Long.MAX_VALUE),
              hostName(),
              HexFormat.of().parseHex(id),
              settings.takeoverAfter(),
              settings.maxStaleness(),
              onOvertaken);
      isConnected = true;
      return new NatsCluster(connection, settings, membership);
    } catch (IOException | LogUnavailable e) {
      throw NatsConnection.ClusterUnreachable.because(ErrorMessages.of(e));
    } finally {
      if (!isConnected) {
        connection.close();
      }
    }
  }

  /** Opens the log, or makes one that continues the store's; returns the cluster's id. */
  private static String joinLog(NatsLog log, NatsSnapshots snapshots, EventStore store, PubKey key)
      throws CommandFailure, LogUnavailable, IOException {
    Optional<String> own = ClusterRow.id(store);
    Optional<NatsLog.Existing> existing = log.open();
    if (existing.isEmpty()) {
      if (own.isPresent()) {
        throw new CommandFailure(
            "cluster.servers: these NATS servers do not have the log of the cluster to which this"
                + " data directory belongs; `gambit cluster seed` makes a new one from the most"
                + " advanced node.");
      }
      if (snapshots.newest().isPresent()) {
        throw new CommandFailure(
            ("cluster.servers: these NATS servers have a snapshot of a cluster with this"
                    + " cluster.name, but not its log. If they have lost the log, `gambit cluster"
                    + " seed` makes a new one from the most advanced node of that cluster. Otherwise"
                    + " set another cluster.name, or delete the snapshot: nats stream rm %s.")
                .formatted(snapshots.stream()));
      }
      byte[] id = new byte[ID_BYTES];
      RANDOM.nextBytes(id);
      log.create(store.logEnd().sequence() + 1, HexFormat.of().formatHex(id), key.hex());
      existing = log.open();
    }
    NatsLog.Existing found = existing.orElseThrow(() -> new LogUnavailable("it has disappeared"));
    SnapshotJoin.requireKey(found, Optional.of(key)); // another node may just have made the log
    requireCopy(found, own, store.logEnd(), log);
    return found.clusterId();
  }

  /** Whether the log has an entry, or gets to know of it in some seconds. */
  private static boolean has(long sequence, NatsLog log) throws CommandFailure, LogUnavailable {
    long end = System.nanoTime() + ELECTION_TIME.toNanos();
    while (log.range().last() < sequence) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      SnapshotJoin.pause(POLL_PERIOD);
    }
    return true;
  }

  /** Requires that the store is a copy of a part of the log from its beginning on. */
  private static void requireCopy(
      NatsLog.Existing log, Optional<String> own, LogEnd end, NatsLog asked)
      throws CommandFailure, LogUnavailable {
    boolean isNew = log.range().last() < log.range().first();
    if (own.isPresent() && !own.get().equals(log.clusterId())) {
      throw new CommandFailure("--data: the data directory belongs to another cluster.");
    }
    if (own.isEmpty() && end.sequence() > 0 && !(isNew && end.sequence() == log.range().last())) {
      throw new CommandFailure(
          "--data: the data directory has events of its own, and the cluster exists already; start"
              + " with an empty one, and import the events afterwards.");
    }
    if (end.sequence() > log.range().last() && !has(end.sequence(), asked)) {
      throw new CommandFailure(
          ("--data: the data directory has changes that the cluster's log does not have: it ends with"
                  + " entry %s, and the log with %s. Either NATS has lost entries, as when it was"
                  + " restored from an old copy, or the directory was used without the cluster. Run"
                  + " `gambit cluster seed --check` on all nodes before you delete anything. If this"
                  + " node is the most advanced one and NATS has lost entries, make the log anew from"
                  + " it; otherwise start it with an empty directory.")
              .formatted(end.sequence(), log.range().last()));
    }
    if (end.sequence() + 1 < log.range().first()) {
      throw new CommandFailure(
          ("--data: the cluster's log begins with entry %s, and this node has %s: it was trimmed"
                  + " meanwhile. Start again.")
              .formatted(log.range().first(), end.sequence()));
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  public void measure(Metrics metrics) {
    NatsLog log = (NatsLog) membership.log();
    metrics.gauge(
        "cluster_connected",
        "1 while this node is connected to a NATS server, else 0",
        () -> connection.isConnected() ? 1 : 0);
    metrics.gauge(
        "cluster_log_replicas",
        "NATS servers that had the whole log of the cluster when this node last asked one",
        log::replicas);
    metrics.gauge(
        "cluster_log_replicas_wanted",
        "NATS servers that should have the log of the cluster",
        connection::replicas);
  }

  public ClusterMembership membership() {
    return membership;
  }

  /**
   * Makes snapshots from which other nodes can join, whenever this node leads.
   *
   * @param leads called on any thread
   * @return ends that; called before the relay is closed
   */
  public Runnable makeSnapshots(
      Path store, BooleanSupplier leads, InstantSource time, Consumer<Throwable> onDeath) {
    SnapshotMaker maker =
        new SnapshotMaker(connection, settings, membership.log(), store, leads, time, onDeath);
    return maker::close;
  }

  @Override
  public void close() {
    connection.close();
  }

  /**
   * Keeps a snapshot from which another node can join, while this node leads: it makes one when
   * there is none, when the newest is older than a quarter of {@code cluster.keep}, or when the log
   * does not have the entry after it, or never had its last one. The thread {@code snapshots}, with
   * a connection of its own while it copies, at {@link #BYTES_PER_SECOND} at most. Files that the
   * snapshot before had are not copied again.
   */
  static final class SnapshotMaker implements AutoCloseable {
    private static final LimitedLog LOG = LimitedLog.of(NatsCluster.class);

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

    /**
     * Whether all files are there; another leader may have deleted some. If so, it begins again.
     */
    private static boolean hasFiles(NatsSnapshots snapshots, BackupManifest list)
        throws IOException {
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
}
