package gambit.core;

import gambit.core.feature.UnreadableRows;
import gambit.core.ingest.Ingest;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Sweep;
import gambit.core.ingest.Writer;
import gambit.core.lane.Lane;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.net.RelayServer;
import gambit.core.rate.RateLimiter;
import gambit.core.session.Budget;
import gambit.core.session.Lifecycle;
import gambit.core.session.Limit;
import gambit.core.session.Limits;
import gambit.core.session.RelayCore;
import gambit.core.session.SessionMetrics;
import gambit.core.store.EventStore;
import gambit.core.wire.MessageReader;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running relay: store, writer, live lane, query lanes, features and port, wired together. This
 * page is the wiring.
 */
public final class Relay implements AutoCloseable {
  private static final int WRITES_UNDER_WAY = 16_384;
  private static final int WRITES_FOR_FEATURES = 4_096;
  private static final int QUERIES_WAITING = 10_000;

  /** How long events that were read may wait for their answers at the end. */
  private static final Duration ANSWERING = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

  private final EventStore store;
  private final LiveLane live;
  private final Writer writer;
  private final Lane queries;
  private final Lane scans;
  private final Sweep sweep;
  private final List<Lane> featureLanes;
  private final Ingest ingest;
  private final RelayServer server;
  private final Health health;
  private final AtomicBoolean ending = new AtomicBoolean();

  /**
   * Starts a relay.
   *
   * @throws BindException when the address cannot be had
   * @throws UnreadableRows when a stored row that is needed at the start cannot be read
   */
  public Relay(RelayParts parts) throws BindException {
    RelayParts.Environment environment = parts.environment();
    Consumer<Throwable> onDeath = environment.onDeath();
    store = parts.storage().store();
    StorageRules rules = rules(parts);
    live = new LiveLane(store.lastOffset(), onDeath);
    writer =
        new Writer(
            store, rules, live, WRITES_UNDER_WAY, WRITES_FOR_FEATURES, environment.time(), onDeath);
    queries = new Lane("query", QUERIES_WAITING, onDeath);
    scans = new Lane("scan", QUERIES_WAITING, onDeath);
    Lane sweeps = new Lane("sweep", 1, onDeath);
    sweep =
        new Sweep(
            store,
            writer,
            rules,
            parts.storage().retention(),
            sweeps,
            environment.deadlines(),
            environment.time());
    RateLimiter rates = new RateLimiter(parts.bounds().rates(), System::nanoTime);
    InstalledFeatures installed =
        new InstalledFeatures(parts, writer, live, rules.gates(parts.identity().urls()));
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
            environment.verifier(),
            writer,
            live,
            installed.gates(),
            installed.authorities(),
            rates,
            environment.metrics());
    try {
      server =
          RelayServer.listen(
              sessions(parts, rules, rates, installed),
              installed.information().json(),
              parts.port().transport(),
              environment.metrics(),
              parts.port().address());
    } catch (BindException e) {
      closeLanes();
      store.close();
      throw e;
    }
    installed.open(server);
    health = new Health(ending, server, store, writer, turns(lanes));
    registerGauges(environment.metrics());
  }

  private static StorageRules rules(RelayParts parts) {
    EventStore store = parts.storage().store();
    try {
      return new StorageRules(store, parts.extensions().nips().ofStorage());
    } catch (UnreadableRows e) {
      store.close();
      throw e;
    }
  }

  /** What connections work with. */
  private RelayCore sessions(
      RelayParts parts, StorageRules rules, RateLimiter rates, InstalledFeatures installed) {
    InstantSource time = parts.environment().time();
    Limits limits = parts.bounds().limits();
    return new RelayCore(
        new MessageReader(
            limits.get(Limit.EVENT_TAGS), limits.get(Limit.FILTERS), installed.tagsMayBeMissing()),
        ingest,
        live,
        new RelayCore.Stored(
            store, stored -> rules.isServed(stored, time.instant()), queries, scans),
        installed.forSessions(),
        new RelayCore.SessionBounds(limits, rates, new Budget(limits.get(Limit.ALL_FILTER_VALUES))),
        new SessionMetrics(parts.environment().metrics()),
        new Lifecycle(time, ending, parts.environment().onDeath()));
  }

  private void registerGauges(Metrics metrics) {
    metrics.gauge("subscriptions", "Subscriptions open", live::subscriptions);
    metrics.gauge("stored_events", "Events in the store", store::size);
    metrics.gauge("stored_bytes", "Bytes that the stored events take, about", store::bytes);
    metrics.gauge(
        "damaged_records",
        "Records of the store that were found damaged since the start",
        store::damagedRecords);
  }

  /** By the name of each thread, how it is handed something to do. */
  private Map<String, Executor> turns(List<Lane> lanes) {
    Map<String, Executor> turns = new TreeMap<>(server.turns());
    turns.put("writer", writer::takeTurn);
    turns.put("live", live::takeTurn);
    lanes.forEach(lane -> turns.put(lane.name(), lane::put));
    return turns;
  }

  /** How it is doing. */
  public Health health() {
    return health;
  }

  /** The address at which it listens. */
  public InetSocketAddress address() {
    return server.address();
  }

  /**
   * Takes no more clients and reads no more; what was read before has its answer, and what was
   * accepted is committed. Then it says goodbye, behind all that a client is still to be sent, and
   * ends every thread. An event that has not been decided after three seconds, and a query that is
   * not over, are not answered; a client that does not read is left after a few seconds. Closing it
   * once more does nothing.
   */
  @Override
  public void close() {
    if (ending.getAndSet(true)) {
      return;
    }
    server.stopReading();
    awaitAnswers();
    closeLanes();
    server.close();
    store.close();
  }

  private void awaitAnswers() {
    try {
      if (!ingest.awaitAnswers(ANSWERING)) {
        LOG.warn("Not every event was answered within {} s", ANSWERING.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Each lane does what it was given before the next one behind it ends; queries are dropped. */
  private void closeLanes() {
    featureLanes.forEach(Lane::close);
    sweep.close();
    writer.close();
    queries.abandon();
    scans.abandon();
    live.close();
  }
}
