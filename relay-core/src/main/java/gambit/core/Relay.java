package gambit.core;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventAuthority;
import gambit.core.feature.EventGate;
import gambit.core.feature.Feature;
import gambit.core.feature.LoginCheck;
import gambit.core.feature.Publisher;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.SubscriptionListener;
import gambit.core.feature.Tally;
import gambit.core.feature.UnreadableRows;
import gambit.core.ingest.Ingest;
import gambit.core.ingest.Retention;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Sweep;
import gambit.core.ingest.Writer;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.live.Live;
import gambit.core.meter.Meters;
import gambit.core.model.Filter;
import gambit.core.model.RelayUrls;
import gambit.core.net.RelayServer;
import gambit.core.net.Transport;
import gambit.core.nip.RelayInformation;
import gambit.core.nip.StandardGates;
import gambit.core.nip.StandardNips;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits;
import gambit.core.session.Budget;
import gambit.core.session.Limit;
import gambit.core.session.Limits;
import gambit.core.session.ReadGuards;
import gambit.core.session.RelayCore;
import gambit.core.session.SessionFeatures;
import gambit.core.session.SessionMeters;
import gambit.core.store.EventStore;
import gambit.core.wire.MessageReader;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
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
  private final Live live;
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
   * What a relay is made of.
   *
   * @param about what the operator says of the relay, by field of NIP-11; an empty text is left out
   * @param urls the relay's own URLs
   * @param nips what an ordinary relay can do, as far as it is switched on
   * @param features what it can do beyond that
   * @param onDeath hears of a thread that died: the process should end
   */
  public record Parts(
      Map<String, String> about,
      String version,
      InetSocketAddress address,
      RelayUrls urls,
      Limits limits,
      RateLimits rates,
      Transport transport,
      EventStore store,
      Retention retention,
      EventVerifier verifier,
      Signer signer,
      InstantSource time,
      Deadlines deadlines,
      Meters meters,
      StandardNips nips,
      List<Feature> features,
      Consumer<Throwable> onDeath) {}

  /**
   * Starts a relay.
   *
   * @throws BindException when the address cannot be had
   * @throws UnreadableRows when a feature cannot go on
   */
  public Relay(Parts parts) throws BindException {
    store = parts.store();
    live = new Live(store.lastOffset(), parts.onDeath());
    StorageRules rules = new StorageRules(store, parts.nips().ofStorage());
    writer =
        new Writer(
            store,
            rules,
            live,
            WRITES_UNDER_WAY,
            WRITES_FOR_FEATURES,
            parts.time(),
            parts.onDeath());
    queries = new Lane("query", QUERIES_WAITING, parts.onDeath());
    scans = new Lane("scan", QUERIES_WAITING, parts.onDeath());
    Lane sweeps = new Lane("sweep", 1, parts.onDeath());
    sweep =
        new Sweep(store, writer, rules, parts.retention(), sweeps, parts.deadlines(), parts.time());
    RateLimiter rates = new RateLimiter(parts.rates(), System::nanoTime);
    Installed installed = new Installed(parts, writer, live, rules.gates(parts.urls()));
    featureLanes = installed.lanes;
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
            parts.verifier(),
            writer,
            live,
            installed.gates,
            installed.authorities,
            rates,
            parts.meters());
    Limits limits = parts.limits();
    RelayCore core =
        new RelayCore(
            new MessageReader(
                limits.get(Limit.EVENT_TAGS),
                limits.get(Limit.FILTERS),
                installed.tagsMayBeMissing),
            ingest,
            live,
            queries,
            scans,
            store,
            stored -> rules.isServed(stored, parts.time().instant()),
            installed.forSessions(),
            new Budget(limits.get(Limit.ALL_FILTER_VALUES)),
            limits,
            rates,
            new SessionMeters(parts.meters()),
            parts.time(),
            ending,
            parts.onDeath());
    try {
      server =
          RelayServer.listen(
              core,
              installed.information().json(),
              parts.transport(),
              parts.meters(),
              parts.address());
    } catch (BindException e) {
      closeLanes();
      store.close();
      throw e;
    }
    installed.server = server;
    installed.whenOpen.forEach(Runnable::run);
    health = new Health(ending, server, store, writer, turns(lanes));
    Meters meters = parts.meters();
    meters.gauge("subscriptions", "Subscriptions open", live::subscriptions);
    meters.gauge("stored_events", "Events in the store", store::size);
    meters.gauge("stored_bytes", "Bytes that the stored events take, about", store::bytes);
    meters.gauge(
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

  /** Collects what the features add. */
  private static final class Installed implements RelayBuilder {
    private final Parts parts;
    private final Publisher publisher;
    private final Live live;
    private final TreeSet<Integer> nips = new TreeSet<>();
    private final Map<String, Object> limitation = new LinkedHashMap<>();
    private final Map<String, Map<String, ?>> descriptions = new LinkedHashMap<>();
    private final List<EventGate> gates = new ArrayList<>();
    private final List<EventAuthority> authorities = new ArrayList<>();
    private final List<ConnectionListener> listeners = new ArrayList<>();
    private final List<ReadGuard> guards = new ArrayList<>();
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Runnable> whenOpen = new ArrayList<>();
    private IntPredicate tagsMayBeMissing = kind -> false;
    private @Nullable LoginCheck logins;
    private boolean greets;
    private @Nullable Function<List<Filter>, Tally> tallies;
    private boolean hintsCompleteness;
    private volatile @Nullable RelayServer server; // from when it listens

    Installed(Parts parts, Publisher publisher, Live live, List<EventGate> storageGates) {
      this.parts = parts;
      this.publisher = publisher;
      this.live = live;
      StandardNips.always().forEach(nips::add);
      nips.addAll(parts.nips().ofStorage());
      gates.addAll(StandardGates.of(parts.limits(), parts.signer().pubkey()));
      gates.addAll(storageGates);
    }

    void installAll() {
      parts.nips().features().forEach(feature -> feature.install(this));
      parts.features().forEach(feature -> feature.install(this));
    }

    SessionFeatures forSessions() {
      return new SessionFeatures(
          List.copyOf(listeners),
          new ReadGuards(guards),
          logins,
          greets,
          tallies,
          hintsCompleteness);
    }

    RelayInformation information() {
      return new RelayInformation(
          parts.about(),
          parts.signer().pubkey(),
          parts.version(),
          nips,
          parts.limits(),
          limitation,
          descriptions);
    }

    @Override
    public void supports(int nip) {
      nips.add(nip);
    }

    @Override
    public void describe(String field, Map<String, ?> value) {
      descriptions.put(field, value);
    }

    @Override
    public void limitation(String field, Object value) {
      limitation.put(field, value);
    }

    @Override
    public void guard(ReadGuard guard) {
      guards.add(guard);
    }

    @Override
    public void logins(LoginCheck check, boolean greet) {
      logins = check;
      greets = greet;
    }

    @Override
    public boolean takesLogins() {
      return logins != null;
    }

    @Override
    public void counts(Function<List<Filter>, Tally> tallies) {
      this.tallies = tallies;
    }

    @Override
    public void completenessHints() {
      hintsCompleteness = true;
    }

    @Override
    public void gate(EventGate gate) {
      gates.add(gate);
    }

    @Override
    public void authority(EventAuthority authority) {
      authorities.add(authority);
    }

    @Override
    public void listen(ConnectionListener listener) {
      listeners.add(listener);
    }

    @Override
    public void listenToSubscriptions(SubscriptionListener listener) {
      live.listen(listener);
    }

    @Override
    public void tagsMayBeMissing(IntPredicate kinds) {
      tagsMayBeMissing = tagsMayBeMissing.or(kinds);
    }

    @Override
    public Map<String, byte[]> rows(String table) {
      return parts.store().rows(table);
    }

    @Override
    public void afterArrivals(Runnable then) {
      RelayServer listening = server;
      if (listening == null) {
        then.run();
      } else {
        listening.afterArrivals(then);
      }
    }

    @Override
    public void whenOpen(Runnable then) {
      whenOpen.add(then);
    }

    @Override
    public Publisher publisher() {
      return publisher;
    }

    @Override
    public Signer signer() {
      return parts.signer();
    }

    @Override
    public InstantSource time() {
      return parts.time();
    }

    @Override
    public Deadlines deadlines() {
      return parts.deadlines();
    }

    @Override
    public Meters meters() {
      return parts.meters();
    }

    @Override
    public RelayUrls urls() {
      return parts.urls();
    }

    @Override
    public Lane lane(String name, int capacity) {
      Lane lane = new Lane(name, capacity, parts.onDeath());
      lanes.add(lane);
      return lane;
    }
  }
}
