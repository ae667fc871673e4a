package gambit.core;

import gambit.core.feature.UnreadableRows;
import gambit.core.ingest.Forwarding;
import gambit.core.ingest.Ingest;
import gambit.core.ingest.Replication;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Sweep;
import gambit.core.ingest.Writer;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.limit.SharedBudget;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.net.PortSettings;
import gambit.core.net.RelayServer;
import gambit.core.replication.Cluster;
import gambit.core.replication.ClusterMembership;
import gambit.core.replication.ClusterNode;
import gambit.core.replication.HostRelay;
import gambit.core.replication.NodeState;
import gambit.core.session.Lifecycle;
import gambit.core.session.RelayCore;
import gambit.core.session.SessionMetrics;
import gambit.core.session.SlowQueries;
import gambit.core.store.EventStore;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running relay: wires store, writer, live lane, query lanes, features and port together. */
public final class Relay implements AutoCloseable {
  private static final int MAX_WRITES_UNDER_WAY = 16_384;
  private static final int WRITES_RESERVED_FOR_FEATURES = 4_096;
  private static final int MAX_QUEUED_QUERIES = 10_000;

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

  private final SettingsInForce settings;
  private final InstalledFeatures installed;
  private final EventStore store;
  private final LiveLane live;
  private final Optional<Cluster> cluster;
  private final Writer writer;
  private final Lane queries;
  private final Lane scans;
  private final Sweep sweep;
  private final SlowQueries slowQueries = new SlowQueries();
  private final SharedBudget syncBytes;
  private final List<Lane> featureLanes;
  private final Ingest ingest;
  private final RelayServer server;
  private final Health health;
  private final InstantSource time;
  private final AtomicBoolean ending = new AtomicBoolean();

  /**
   * Starts a relay.
   *
   * @throws BindException when the address is unavailable
   * @throws UnreadableRows when a stored row that is needed at the start cannot be read
   */
  public Relay(RelayComponents parts) throws BindException {
    RelayComponents.Environment environment = parts.environment();
    Consumer<Throwable> onDeath = environment.onDeath();
    settings = new SettingsInForce(parts.settings());
    syncBytes = new SharedBudget(settings.limits().of(Limit.ALL_SYNC_BYTES));
    store = parts.storage().store();
    time = environment.time();
    StorageRules rules = rules(parts);
    live =
        new LiveLane(
            parts.identity().signer().pubkey(), store.lastOffset(), environment.metrics(), onDeath);
    cluster =
        Optional.ofNullable(parts.storage().cluster()).map(it -> cluster(parts, it, rules, live));
    Optional<ClusterNode> node = cluster.map(Cluster::node);
    node.ifPresent(it -> it.measure(environment.metrics()));
    Forwarding forwarding = node.map(ClusterNode::forwarding).orElse(Forwarding.NONE);
    Replication replication = node.map(ClusterNode::replication).orElse(Replication.NONE);
    writer =
        new Writer(
            store,
            rules,
            live,
            replication,
            bounds(parts.storage()),
            environment.time(),
            environment.metrics(),
            onDeath);
    queries = new Lane("query", MAX_QUEUED_QUERIES, environment.metrics(), onDeath);
    scans = new Lane("scan", MAX_QUEUED_QUERIES, environment.metrics(), onDeath);
    Lane sweeps = new Lane("sweep", 1, environment.metrics(), onDeath);
    sweep =
        new Sweep(
            store,
            writer,
            rules,
            parts.settings().retention(),
            sweeps,
            environment.deadlines(),
            environment.time());
    installed = new InstalledFeatures(parts, settings, node, forwarding, writer, live, rules);
    featureLanes = installed.lanes();
    try {
      installed.installAll();
    } catch (RuntimeException e) {
      closeLanes();
      store.close();
      throw e;
    }
    List<Lane> lanes = new ArrayList<>(List.of(queries, scans, sweeps));
    lanes.addAll(featureLanes);
    ingest =
        new Ingest(
            store,
            rules,
            installed.checks(),
            installed.guards()::mayRead,
            installed.eventHandlers(),
            writer,
            live,
            forwarding,
            environment.metrics());
    cluster.ifPresent(it -> it.start(hostOfCluster(environment.deadlines())));
    try {
      server =
          RelayServer.listen(
              sessions(parts, rules),
              portSettings(),
              installed.portExtensions(),
              parts.port().tls(),
              parts.port().operator(),
              environment.metrics(),
              parts.port().address());
    } catch (BindException e) {
      cluster.ifPresent(Cluster::resign);
      closeLanes();
      cluster.ifPresent(Cluster::close);
      store.close();
      throw e;
    }
    installed.open(server, this::renewInformation);
    health = new Health(ending, server, store, node.orElse(null), writer, executors(lanes));
    measure(environment.metrics());
  }

  /** Registers the gauges of the parts that have no metrics of their own. */
  private void measure(Metrics metrics) {
    metrics.gauge("subscriptions", "Subscriptions open", live::subscriptions);
    metrics.gauge("stored_events", "Events in the store", store::size);
    metrics.gauge("stored_bytes", "Approximate size of the stored events", store::bytes);
    metrics.gauge("sync_bytes", "Bytes that the syncs of clients hold (NIP-77)", syncBytes::used);
    metrics.gauge(
        "store_full",
        "1 while events of clients are refused because less than store.min_free is left, else 0",
        () -> store.hasRoomForClients() ? 0 : 1);
    metrics.gauge(
        "damaged_records",
        "Damaged records found in the store since the start",
        store::damagedRecords);
  }

  private static Cluster cluster(
      RelayComponents parts, ClusterMembership cluster, StorageRules rules, LiveLane live) {
    return new Cluster(
        cluster,
        parts.storage().store(),
        rules,
        live,
        parts.identity().signer(),
        parts.environment().time(),
        parts.environment().onDeath());
  }

  private HostRelay hostOfCluster(Deadlines deadlines) {
    return new HostRelay(
        writer::execute,
        ingest,
        installed.publisher(),
        installed.listeners(),
        installed::afterArrivalsHere,
        installed::sendAway,
        deadlines);
  }

  private static StorageRules rules(RelayComponents parts) {
    EventStore store = parts.storage().store();
    try {
      return new StorageRules(
          store, parts.settings().nips().ofStorage(), parts.identity().signer());
    } catch (UnreadableRows e) {
      store.close();
      throw e;
    }
  }

  private RelayCore sessions(RelayComponents parts, StorageRules rules) {
    InstantSource time = parts.environment().time();
    CurrentLimits limits = settings.limits();
    return new RelayCore(
        installed.messageReader(),
        ingest,
        live,
        new RelayCore.Stored(store, rules, queries, scans, slowQueries),
        installed.forSessions(),
        new RelayCore.SessionBounds(
            limits,
            settings.rates(),
            new SharedBudget(limits.of(Limit.ALL_FILTER_VALUES)),
            syncBytes),
        new SessionMetrics(parts.environment().metrics()),
        new Lifecycle(time, ending, parts.environment().onDeath()));
  }

  private PortSettings portSettings() {
    ChangeableSettings now = settings.now();
    return new PortSettings(installed.information(), now.page(), now.transport());
  }

  public ChangeableSettings settings() {
    return settings.now();
  }

  /**
   * Puts other settings in force, for all connections unless {@link ChangeableSettings} says
   * otherwise, and makes the relay information document (NIP-11) anew. Lowering a limit closes
   * nothing: what is in use beyond it stays, and nothing more is granted until enough has been
   * released. Only bounds on outboxes disconnect clients: that of one client at its next frame,
   * that of all at once. Any thread.
   *
   * @throws IllegalArgumentException when NIPs would be switched on or off; nothing has changed
   *     then
   */
  public void change(ChangeableSettings changed) {
    synchronized (settings) {
      settings.change(changed);
      sweep.change(changed.retention());
      server.change(portSettings());
    }
  }

  private void renewInformation() {
    synchronized (settings) {
      server.change(portSettings());
    }
  }

  /** In a cluster, a batch must fit into an entry, with the commit that exceeds its bytes. */
  private static Writer.Bounds bounds(RelayComponents.Storage storage) {
    ClusterMembership cluster = storage.cluster();
    long entryBytes = cluster == null ? Long.MAX_VALUE : cluster.log().maxEntryBytes();
    return new Writer.Bounds(
        storage.batchRequests(),
        Math.min(Writer.BATCH_BYTES, entryBytes / 3),
        entryBytes / 2,
        MAX_WRITES_UNDER_WAY,
        WRITES_RESERVED_FOR_FEATURES);
  }

  private Map<String, Executor> executors(List<Lane> lanes) {
    Map<String, Executor> executors = new TreeMap<>(server.executors());
    executors.put("writer", writer::execute);
    executors.put("live", live::execute);
    lanes.forEach(lane -> executors.put(lane.name(), lane::put));
    return executors;
  }

  public Health health() {
    return health;
  }

  /** Logs queries from that working time on; zero for none, as at first. Any thread. */
  public void logQueriesSlowerThan(Duration threshold) {
    slowQueries.setThreshold(threshold);
  }

  public EventImport imports() {
    return new EventImport(ingest, time);
  }

  public InetSocketAddress address() {
    return server.address();
  }

  /**
   * Drains the relay. It accepts no more clients and reads no more messages; events that were read
   * are answered, and accepted events are committed. Connections are closed after their queued
   * frames are sent, and all threads end. Events that are not decided within three seconds and
   * unfinished queries are not answered; clients that do not read are disconnected after a few
   * seconds. Closing a closed relay does nothing.
   */
  @Override
  public void close() {
    if (ending.getAndSet(true)) {
      return;
    }
    server.stopReading();
    cluster.ifPresentOrElse(this::leaveCluster, this::awaitAnswers);
    closeLanes();
    server.close();
    cluster.ifPresent(Cluster::close);
    store.close();
  }

  /** A node that was overtaken has no answers to wait for. */
  private void leaveCluster(Cluster leaving) {
    if (leaving.node().state().role() != NodeState.Role.OVERTAKEN) {
      awaitAnswers();
      leaving.resign();
    }
  }

  private void awaitAnswers() {
    try {
      if (!ingest.awaitAnswers(ANSWER_TIMEOUT)) {
        LOG.warn("Not every event was answered within {} s", ANSWER_TIMEOUT.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public @Nullable ClusterNode cluster() {
    return cluster.map(Cluster::node).orElse(null);
  }

  /** Each lane runs its queued tasks before the next one is closed; queries are dropped. */
  private void closeLanes() {
    featureLanes.forEach(Lane::close);
    sweep.close();
    writer.close();
    queries.abandon();
    scans.abandon();
    live.close();
  }
}
