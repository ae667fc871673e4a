package gambit.core.replication;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.SubscriptionListener;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.EventChecks;
import gambit.core.ingest.Ingest;
import gambit.core.ingest.Replication;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Writer;
import gambit.core.lane.Deadlines;
import gambit.core.live.Delivery;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.RelayUrls;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits;
import gambit.core.store.EventStore;
import gambit.core.store.StoreFailure;
import gambit.core.testkit.Keys;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The process of a relay: the real parts of a node, each of whose threads is a sequence of steps.
 * It lasts until it ends, is killed or is overtaken.
 */
final class SimulatedRelay implements Publisher {
  static final Duration TAKEOVER_AFTER = Duration.ofSeconds(1);
  static final Duration MAX_STALENESS = Duration.ofSeconds(6);

  private static final int CLOSING_MICROS = 20_000;
  static final Signer RELAY = Keys.of("relay");
  private static final byte[] CLUSTER_ID = new byte[16];
  private static final RelayUrls URLS = new RelayUrls(List.of("ws://localhost"));
  private static final SubscriptionListener EVERYTHING_CONCERNS =
      new SubscriptionListener() {
        @Override
        public boolean concernsLeader(ClientConnection connection, List<Filter> filters) {
          return true;
        }

        @Override
        public void subscribed(ClientConnection connection, List<Filter> filters) {}
      };

  private final Simulation world;
  private final SimulatedMachine machine;
  private final SplittableRandom random;
  private final long number;
  private final EventStore store;
  private final LiveLane live;
  private final ClusterMembership parts;
  private final ClusterNode node;
  private final Writer writer;
  private final CounterGame game;
  private final Ingest ingest;
  private final SimulatedReader reader;
  private final Map<Object, Runnable> alarms = new HashMap<>();
  private final List<SimulatedConnection> connections = new ArrayList<>();
  private boolean isOpen = true; // for clients
  private boolean hasWork; // of the writer, scheduled
  private boolean hasOutput; // of the live lane, scheduled
  private boolean isWriting;
  private boolean isPaused; // its writer waits for the log

  SimulatedRelay(Simulation world, SimulatedMachine machine) {
    this.world = world;
    this.machine = machine;
    this.random = world.random();
    this.number = world.nextNumber();
    Defect defect = world.defect();
    this.store = defect.store(machine.disk());
    StorageRules rules = new StorageRules(store, Set.of(9, 40, 62));
    this.live = LiveLane.withoutThread(RELAY.pubkey(), store.lastOffset(), Metrics.NONE);
    this.parts =
        new ClusterMembership(
            defect.log(world.log().viewOf(this), this),
            defect.bus(world.bus().portOf(this), this),
            number,
            "node " + machine.index(),
            CLUSTER_ID,
            TAKEOVER_AFTER,
            MAX_STALENESS,
            cause -> {});
    Delivery delivery = defect.delivery(new InterruptedDelivery(live, this::interruptWriter));
    this.node =
        new ClusterNode(
            parts, store, rules, delivery, RELAY, machine.clocks(), () -> pauseWriter(100_000));
    this.writer =
        new Writer(
            store,
            rules,
            delivery,
            node.replication(),
            new Writer.Bounds(
                1 + random.nextInt(8),
                parts.log().maxEntryBytes() / 3,
                parts.log().maxEntryBytes() / 2,
                1_000,
                100),
            machine::time,
            Metrics.NONE,
            null);
    this.game = new CounterGame(this, world.check());
    this.ingest =
        new Ingest(
            store,
            rules,
            new EventChecks(
                new SimulatedEvents.KnownResults(),
                rules.gates(URLS),
                List.of(),
                event -> false,
                new RateLimiter(RateLimits.NONE, () -> world.schedule().now() * 1_000),
                author -> false,
                Optional.empty()),
            (event, reader) -> true,
            List.of(game),
            writer,
            delivery,
            node.forwarding(),
            Metrics.NONE);
    this.reader = new SimulatedReader(this, world.log(), random);
  }

  /** As {@code Relay} and {@link Cluster} start. */
  void start() {
    live.listen(node.subscriptionListener());
    node.listenToSubscriptions(EVERYTHING_CONCERNS);
    node.whenLeading(game::begin);
    node.connect(
        new HostRelay(
            writer::execute,
            ingest,
            this,
            List.of(node.connectionListener(), game),
            then -> after(random.nextInt(500), then),
            () -> after(random.nextInt(500), this::closeConnections),
            new Alarms()));
    parts.bus().listen(number, node);
    after(random.nextInt(5_000), reader::read);
    after(random.nextInt(250_000), this::tick);
  }

  private void tick() {
    Instant at = machine.clocks().steady().instant();
    node.timed(at);
    if (node.isTickDue(at)) {
      onWriter(() -> node.tick(at));
    }
    after(ClusterNode.TICK.toMillis() * 1_000, this::tick);
  }

  long number() {
    return number;
  }

  SimulatedMachine machine() {
    return machine;
  }

  EventStore store() {
    return store;
  }

  CounterGame game() {
    return game;
  }

  LiveLane live() {
    return live;
  }

  ClusterNode node() {
    return node;
  }

  ClusterMembership parts() {
    return parts;
  }

  Simulation world() {
    return world;
  }

  List<SimulatedConnection> connections() {
    return connections;
  }

  /** Whether the process has not ended. */
  boolean isRunning() {
    return machine.relay() == this;
  }

  /** Does something on one of its threads later. */
  void after(long micros, Runnable run) {
    world
        .schedule()
        .after(
            micros,
            this,
            () -> {
              run.run();
              wake();
            });
  }

  void onWriter(Runnable task) {
    writer.execute(task);
  }

  // ---- its writer and its live lane

  /** Schedules the work that a step may have left. */
  private void wake() {
    if (!hasWork && !isWriting) {
      hasWork = true;
      world.schedule().after(random.nextInt(400), this, this::write);
    }
    if (!hasOutput) {
      hasOutput = true;
      world.schedule().after(random.nextInt(400), this, this::deliver);
    }
  }

  private void deliver() {
    hasOutput = false;
    if (live.runNext()) {
      wake();
    }
  }

  private void write() {
    hasWork = false;
    if (isWriting) {
      return;
    }
    isWriting = true;
    boolean hasWritten;
    try {
      hasWritten = writer.writeNext();
      world.check().wrote(this);
    } catch (Killed e) {
      return;
    } catch (Replication.Overtaken e) {
      leave();
      return;
    } catch (StoreFailure e) {
      throw new Violation(Invariant.NODES_HAVE_THE_SAME_LOG, this + ": " + e.getMessage());
    } finally {
      isWriting = false;
    }
    if (hasWritten) {
      wake();
    }
  }

  /** Lets the others go on while its writer waits; nothing happens on its other threads. */
  void pauseWriter(long micros) {
    if (!isWriting || isPaused || reader.isReading()) {
      return;
    }
    isPaused = true;
    world.schedule().runUntil(world.schedule().now() + micros);
    while (isRunning() && machine.stoppedUntil() > world.schedule().now()) {
      world.schedule().runUntil(machine.stoppedUntil());
    }
    isPaused = false;
    if (!isRunning()) {
      throw new Killed();
    }
  }

  /** Lets the others go on at a moment when the writer's thread might lose its processor. */
  private void interruptWriter() {
    if (random.nextInt(20) == 0) {
      pauseWriter(random.nextInt(2_000));
    }
  }

  /** Ends the writer of a process that was killed. */
  private static final class Killed extends Error {
    Killed() {
      super("killed", null, false, false);
    }
  }

  // ---- its end

  /** Another node has taken over: it delivers what it has, and starts anew. */
  private void leave() {
    isOpen = false;
    while (live.runNext()) {
      // as a lane that is closed
    }
    machine.end();
    world.schedule().after(random.nextInt(100_000), null, machine::start);
  }

  /** As {@code Relay.close}: hands over, then ends. */
  void close(Runnable whenClosed) {
    isOpen = false;
    onWriter(node::resign);
    after(CLOSING_MICROS, () -> drain(whenClosed));
  }

  private void drain(Runnable whenClosed) {
    if (isWriting) {
      after(CLOSING_MICROS, () -> drain(whenClosed));
      return;
    }
    isWriting = true;
    try {
      while (writer.writeNext()) {
        // as a writer that is closed
      }
    } catch (Killed e) {
      return;
    } catch (Replication.Overtaken e) {
      // as when it runs
    } finally {
      isWriting = false;
    }
    while (live.runNext()) {
      // as a lane that is closed
    }
    machine.end();
    whenClosed.run();
  }

  /** The process has ended. */
  void ended() {
    isOpen = false;
    connections.forEach(SimulatedConnection::lose);
    connections.clear();
  }

  // ---- its clients

  /** Whether it accepts a client, as its port does. */
  boolean accepts() {
    return isOpen && !node.state().isCutOff();
  }

  void add(SimulatedConnection connection) {
    connections.add(connection);
  }

  private void closeConnections() {
    List.copyOf(connections).forEach(SimulatedConnection::close);
  }

  /** A connection has closed. */
  void closed(SimulatedConnection connection) {
    connections.remove(connection);
    node.connectionListener().closed(connection);
    game.closed(connection);
  }

  /** Takes an event as its connection's event loop does. */
  void take(Event event, SimulatedConnection connection) {
    ingest.take(event, connection, machine.time(), ingest.claim(event), null);
  }

  /** The answer to an event has been sent. */
  void answered(Event event, SimulatedConnection sender, Ok ok) {
    ingest.answered(event, sender, ok);
  }

  // ---- what its features use

  @Override
  public boolean store(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    return node.forwarding().forward(commit, outcome, settled)
        || writer.store(commit, () -> false, outcome, settled);
  }

  @Override
  public void send(List<Outgoing> outgoing) {
    writer.send(outgoing);
  }

  /** Alarms by the time of the world. */
  private final class Alarms implements Deadlines {
    @Override
    public void set(Object key, Duration delay, Runnable task) {
      alarms.put(key, task);
      after(
          delay.toMillis() * 1_000,
          () -> {
            if (alarms.remove(key, task)) {
              task.run();
            }
          });
    }

    @Override
    public void cancel(Object key) {
      alarms.remove(key);
    }
  }

  @Override
  public String toString() {
    return "node " + machine.index();
  }
}
