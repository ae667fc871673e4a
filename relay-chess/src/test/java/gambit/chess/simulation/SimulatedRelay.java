package gambit.chess.simulation;

import gambit.chess.dialect.RefereeEvents;
import gambit.chess.frames.RequiredSettings;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.ManualSession;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.Lots;
import gambit.chess.session.play.SimultaneousGames;
import gambit.chess.session.play.StoredRatings.PlayerRatings;
import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.ConnectedClient;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Row;
import gambit.core.feature.StoredEvents;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.feature.WriteOutcome;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.rate.ClientAddress;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.wire.RelayMessage.Ok;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A relay without threads: each thread of the real one is a queue, and the simulation chooses which
 * one takes the next step. Commits are decided as by the real writer; a crash loses everything but
 * the store, and a change of the leader also leaves the connections about which nothing was
 * decided.
 */
final class SimulatedRelay extends RelayBuilder implements Publisher {
  /** The player who may have several live games at once. */
  static final PubKey HOUSE = new PubKey(new byte[32]);

  private static final int MOST_REQUESTS = 64;

  private static final ChessSettings SETTINGS =
      RequiredSettings.of(ChessSettings.DEFAULT, false, false, 4)
          .withSimultaneousGames(new SimultaneousGames(Set.of(HOUSE), 6));

  /** A request to the writer, until it is committed and its output is sent. */
  private record Request(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled,
      boolean isTold) {}

  /** A request with its outcome, and the commit with its addition. */
  private record Done(Request request, Commit commit, WriteOutcome outcome) {}

  private record Barrier(long number, Runnable then) {}

  static final int CHAIN_LENGTH = 5;

  private final Signer signer;
  private final RelayUrls urls = new RelayUrls(List.of("wss://relay.example.com"));
  private final RandomGenerator chance;
  private final Lots.Source lots;
  private final InjectedBug injectedBug;
  private final MemoryEventStore store = new MemoryEventStore(1L << 40);
  private final Map<String, DoubleSupplier> gauges = new HashMap<>();
  private final Map<String, Set<String>> keys = new HashMap<>(); // rows in the order they came
  final ManualTime time;
  final InvariantChecker checker;
  final List<SimulatedPlayer> players = new ArrayList<>();

  private final Deque<Runnable> lane = new ArrayDeque<>();
  private final Deque<Request> requests = new ArrayDeque<>();
  private final Deque<Done> committed = new ArrayDeque<>();
  private final List<SimulatedConnection> readable = new ArrayList<>();
  private final TreeSet<Long> underWay = new TreeSet<>();
  private final Deque<Barrier> barriers = new ArrayDeque<>();

  /** The events that were handed on, by the numbers of their arrivals; some are answered. */
  private final TreeMap<Long, Submission> handedOn = new TreeMap<>();

  private final List<SimulatedConnection> open = new ArrayList<>();

  private Runnable afterStall = () -> {};
  private long arrivals;
  private int sockets;
  private ManualSession.Chess chess;

  /** The authors whose events the relay refuses. */
  final Set<PubKey> refused = new HashSet<>();

  /** Faults that start and stop. */
  boolean full;

  int failing; // commits of a thousand
  int busy; // requests of a thousand

  /**
   * Whether output without a commit is sent at once, as by a relay without a cluster; else it takes
   * its place among that of the commits, except for published states, which are checked when made.
   */
  boolean sendsAtOnce = true;

  SimulatedRelay(RandomGenerator chance, InjectedBug injectedBug) {
    this.chance = chance;
    this.lots = shortChains(ChosenLots.by(chance));
    this.injectedBug = injectedBug;
    byte[] secret = new byte[32];
    secret[31] = 7;
    this.signer = new Signer(secret);
    this.time = new ManualTime(injectedBug::sets);
    this.checker =
        new InvariantChecker(time, new RefereeEvents(signer, urls.primary()), SETTINGS, gauges);
    this.chess = open();
  }

  /** Such lots from chains that are soon spent. */
  private static Lots.Source shortChains(Lots.Source lots) {
    return new Lots.Source() {
      @Override
      public byte[] value(byte[] next, EventId first, EventId second) {
        return lots.value(next, first, second);
      }

      @Override
      public int length() {
        return CHAIN_LENGTH;
      }
    };
  }

  private ManualSession.Chess open() {
    checker.opens();
    ManualSession.Chess opened =
        ManualSession.open(this, SETTINGS, this::admit, lane::add, lots, false);
    while (work()) {
      // it recovers, and is notified that the port is open
    }
    checker.isOpen();
    return opened;
  }

  private boolean admit(Runnable task) {
    return !isUnlucky(busy) && lane.add(task);
  }

  private boolean isUnlucky(int ofAThousand) {
    return ofAThousand > 0 && chance.nextInt(1000) < ofAThousand;
  }

  // ---- clients

  SimulatedConnection connect() {
    SimulatedConnection connection = new SimulatedConnection(sockets++);
    open.add(connection);
    return connection;
  }

  /** An event arrives; it is handed on later. */
  void arrive(SimulatedConnection socket, Event event) {
    if (socket.isOpen()) {
      Optional<ClaimedEvent> awaited = awaitedClaim(event);
      Submission submission =
          new Submission(
              event,
              socket,
              injectedBug.arrival(time.instant()),
              awaited.isPresent(),
              false,
              this::ordinary);
      checker.arrived(submission);
      arrive(socket, new SimulatedConnection.Arrival(arrivals++, submission, awaited));
    }
  }

  /**
   * An event arrives that another node has forwarded, for which it holds that the relay waits for
   * the event.
   */
  void arriveForwarded(SimulatedConnection socket, Event event) {
    Submission submission =
        new Submission(event, socket, time.instant(), true, false, this::ordinary);
    checker.arrived(submission);
    arrive(socket, new SimulatedConnection.Arrival(arrivals++, submission, Optional.empty()));
  }

  /** A client logs in, and the leader learns of it. */
  void logIn(SimulatedConnection socket, PubKey player) {
    socket.logIn(player);
    loggedIn(socket, player);
  }

  private void loggedIn(SimulatedConnection socket, PubKey player) {
    chess.listener().authenticated(socket, player);
    lane.add(() -> checker.loggedIn(socket, player));
  }

  /** A client subscribes to events for a player. */
  void subscribe(SimulatedConnection socket, PubKey player) {
    socket.isSubscribed = true;
    socket.subscribedTo.add(player);
    subscribed(socket, player);
  }

  private void subscribed(SimulatedConnection socket, PubKey player) {
    Filter filter =
        new Filter(null, null, null, Map.of('p', Set.of(player.hex())), null, null, null);
    chess.subscriptions().subscribed(socket, List.of(filter));
  }

  /** A connection breaks; events that arrived before are still handed on. */
  void close(SimulatedConnection socket) {
    if (socket.isOpen()) {
      socket.close();
      open.remove(socket);
      checker.closed(socket);
      arrive(socket, new SimulatedConnection.Arrival(arrivals++, null, Optional.empty()));
    }
  }

  private void arrive(SimulatedConnection socket, SimulatedConnection.Arrival arrival) {
    if (socket.arrived.isEmpty()) {
      readable.add(socket);
    }
    socket.arrived.add(arrival);
    underWay.add(arrival.number());
  }

  /** Handles an event that is not a chess event: deletions are carried out. */
  private void ordinary(Submission submission) {
    Event event = submission.event();
    List<EventId> gone = new ArrayList<>();
    if (event.kind() == Kind.DELETION) {
      event
          .tags()
          .named("e")
          .filter(tag -> tag.size() > 1 && Hex.isLowerCase(tag.get(1), 64))
          .map(tag -> EventId.ofHex(tag.get(1)))
          .forEach(gone::add);
    }
    try (Transaction transaction = store.begin()) {
      for (EventId id : gone) {
        transaction
            .byId(id)
            .filter(it -> it.event().pubkey().equals(event.pubkey()))
            .ifPresent(it -> transaction.remove(it, Removal.OBSOLETE));
      }
      transaction.commit();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    letOut(List.of(new Outgoing.Answer(submission, Ok.accepted(event, "passed"))));
  }

  // ---- the threads of the relay, one step each

  /** An event loop hands on the events of one connection. */
  boolean handOn() {
    if (readable.isEmpty()) {
      return false;
    }
    int index = chance.nextInt(readable.size());
    SimulatedConnection socket = readable.get(index);
    SimulatedConnection.Arrival arrival = socket.arrived.remove();
    if (socket.arrived.isEmpty()) {
      readable.set(index, readable.get(readable.size() - 1));
      readable.remove(readable.size() - 1);
    }
    Submission submission = arrival.submission();
    if (submission != null) {
      handedOn.put(arrival.number(), submission);
    }
    if (submission == null) {
      chess.listener().closed(socket);
    } else if (store.contains(submission.event().id())) {
      String text = WriteOutcome.DUPLICATE.reason().toString();
      letOut(List.of(new Outgoing.Answer(submission, Ok.accepted(submission.event(), text))));
    } else {
      arrival
          .claim()
          .or(() -> chess.handler().claim(submission.event()))
          .ifPresentOrElse(claim -> claim.handle(submission), submission::pass);
    }
    underWay.remove(arrival.number());
    passBarriers();
    return true;
  }

  private void passBarriers() {
    while (!barriers.isEmpty()
        && (underWay.isEmpty() || underWay.first() > barriers.peek().number())) {
      barriers.remove().then().run();
    }
  }

  /** The chess lane runs its next task. */
  boolean work() {
    Runnable task = lane.poll();
    if (task != null) {
      task.run();
    }
    return task != null;
  }

  /** The writer commits some of its requests; their output is not sent yet. */
  boolean commit() {
    return !requests.isEmpty() && commit(1 + chance.nextInt(Math.min(4, requests.size())));
  }

  /** The writer commits that number of its requests. */
  boolean commit(int count) {
    if (!committed.isEmpty()) {
      return false;
    }
    List<Done> group = new ArrayList<>();
    boolean fails = isUnlucky(failing);
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < count; i++) {
        Request request = requests.remove();
        Optional<Commit> complete =
            request.commit().complete(transaction::row).map(injectedBug::stored);
        if (fails) { // after the output was made, as in a cluster
          request.outcome().apply(WriteOutcome.STORED);
        }
        WriteOutcome outcome =
            fails
                ? WriteOutcome.FAILED
                : complete.map(it -> apply(transaction, it)).orElse(WriteOutcome.GONE);
        group.add(new Done(request, complete.orElse(request.commit()), outcome));
      }
      transaction.commit();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    for (Done done : group) {
      Commit commit = done.commit();
      if (done.outcome() == WriteOutcome.STORED) {
        checker.committed(commit);
      } else {
        checker.failed(commit, done.outcome());
      }
      WriteOutcome believed = injectedBug.believed(commit, done.outcome());
      committed.add(new Done(done.request(), commit, believed));
    }
    return true;
  }

  private WriteOutcome apply(Transaction transaction, Commit commit) {
    List<StoredEvent> going = new ArrayList<>();
    for (EventId id : commit.withdrawn()) {
      Optional<StoredEvent> stored = transaction.byId(id);
      if (stored.isEmpty()) {
        return WriteOutcome.GONE;
      }
      going.add(stored.get());
    }
    for (Event event : commit.events()) {
      if (transaction.byId(event.id()).isPresent()) {
        return WriteOutcome.DUPLICATE;
      }
    }
    if (full && !commit.events().isEmpty()) {
      return WriteOutcome.FULL;
    }
    going.forEach(it -> transaction.remove(it, Removal.OBSOLETE));
    commit.events().forEach(event -> transaction.append(event, Transaction.NEVER));
    for (Row row : commit.rows()) {
      byte[] value = row.value();
      Set<String> table = keys.computeIfAbsent(row.table(), t -> new LinkedHashSet<>());
      String key = HexFormat.of().formatHex(row.key());
      if (value == null) {
        transaction.removeRow(row.table(), row.key());
        table.remove(key);
      } else {
        transaction.putRow(row.table(), row.key(), value);
        table.add(key);
      }
    }
    return WriteOutcome.STORED;
  }

  /** The writer releases the output of its commits. */
  boolean tellCommitted() {
    if (committed.isEmpty()) {
      return false;
    }
    List<Done> group = List.copyOf(committed);
    committed.clear();
    group.forEach(this::tell);
    group.forEach(done -> done.request().settled().accept(done.outcome()));
    return true;
  }

  private void tell(Done done) {
    if (!done.request().isTold()) {
      letOut(done.request().outcome().apply(done.outcome()));
    }
  }

  /** Runs everything that needs neither the clock nor the clients. */
  void settle() {
    while (time.ring() || handOn() || work() || commit() || tellCommitted()) {
      // the next step
    }
    checker.quiet();
    handedOn.clear();
  }

  /** Gives a player ratings of earlier games, which the relay reads at its next start. */
  void rate(PubKey player, PlayerRatings ratings) {
    try (Transaction transaction = store.begin()) {
      apply(transaction, new Commit(List.of(), List.of(), List.of(ratings.row(player))));
      transaction.commit();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    checker.ratings.knows(player, ratings);
  }

  /** The process crashes, and starts again with the store. */
  void crash() {
    open.forEach(SimulatedConnection::close);
    open.clear();
    readable.forEach(socket -> socket.arrived.clear());
    lane.clear();
    requests.clear();
    committed.clear();
    readable.clear();
    underWay.clear();
    barriers.clear();
    handedOn.clear();
    gauges.clear();
    time.clear();
    checker.crashed();
    chess = open();
  }

  /**
   * Another node of a cluster begins to lead, with the committed rows. The output of the last
   * commits is sent. The events that were not answered are lost, or handed on again. For a player,
   * that is a restart: connections about which the earlier leader has decided something are closed.
   */
  void takeOver(boolean handsOnAgain) {
    committed.forEach(this::tell);
    committed.clear();
    lane.clear();
    requests.clear();
    barriers.clear();
    gauges.clear();
    time.clear();
    checker.tookOver();
    readable.forEach(SimulatedConnection::forgetClaims);
    List<Submission> unanswered =
        handedOn.descendingMap().values().stream().filter(checker.commands::isPending).toList();
    handedOn.clear();
    for (Submission submission : unanswered) { // the last first
      if (handsOnAgain) {
        handOnAgain(submission, (SimulatedConnection) submission.connection());
      } else {
        checker.commands.lost(submission);
      }
    }
    open.stream().filter(socket -> socket.isPlayers).toList().forEach(this::close);
    chess = ManualSession.open(this, SETTINGS, this::admit, lane::add, lots, true);
    checker.isOpen();
    for (SimulatedConnection socket : open) {
      socket.keys().forEach(player -> loggedIn(socket, player));
      socket.subscribedTo.forEach(player -> subscribed(socket, player));
    }
  }

  private void handOnAgain(Submission submission, SimulatedConnection socket) {
    if (socket.arrived.isEmpty()) {
      readable.add(socket);
    }
    socket.arrived.addFirst(
        new SimulatedConnection.Arrival(arrivals, submission, Optional.empty()));
    underWay.add(arrivals++);
  }

  /** Whether the relay waits for this event. */
  boolean isAwaited(Event event) {
    return awaitedClaim(event).isPresent();
  }

  private Optional<ClaimedEvent> awaitedClaim(Event event) {
    return chess.handler().claim(event).filter(ClaimedEvent::isAwaited);
  }

  /** Whether a client may be shown an event now. */
  boolean mayRead(Event event, SimulatedConnection reader) {
    return chess.commentGuard().mayRead(event, reader);
  }

  private void letOut(List<Outgoing> outgoing) {
    checker.told(injectedBug.told(outgoing));
    for (Outgoing item : outgoing) {
      if (item instanceof Outgoing.Multicast multicast) {
        multicast.whetherSent().accept(reaches(multicast));
        multicast.to().forEach(SimulatedRelay::decided);
      } else if (item instanceof Outgoing.Answer answer) {
        decided(answer.to().connection());
      }
    }
  }

  private static void decided(ClientConnection connection) {
    ((SimulatedConnection) connection).isPlayers = true;
  }

  private static boolean reaches(Outgoing.Multicast multicast) {
    return multicast.to().stream()
        .anyMatch(to -> ((SimulatedConnection) to).gets(multicast.fallbacks()));
  }

  // ---- the relay's services for a feature

  @Override
  public boolean store(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    if (requests.size() >= MOST_REQUESTS || isUnlucky(busy)) {
      checker.failed(commit, WriteOutcome.FAILED);
      return false;
    }
    boolean first = injectedBug.tellsFirst(commit);
    if (first) {
      letOut(outcome.apply(WriteOutcome.STORED));
    }
    requests.add(new Request(commit, outcome, settled, first));
    return true;
  }

  @Override
  public void send(List<Outgoing> outgoing) {
    if (sendsAtOnce || outgoing.stream().anyMatch(SimulatedRelay::isOfState)) {
      letOut(outgoing);
    } else {
      requests.add(new Request(Commit.of(List.of()), outcome -> outgoing, outcome -> {}, false));
    }
  }

  private static boolean isOfState(Outgoing item) {
    return item instanceof Outgoing.Current || item instanceof Outgoing.StateRemoval;
  }

  @Override
  public Map<String, byte[]> rows(String table) {
    Map<String, byte[]> rows = new LinkedHashMap<>();
    Map<String, byte[]> found = store.rows(table);
    for (String key : keys.getOrDefault(table, Set.of())) {
      rows.put(key, found.get(key));
    }
    return injectedBug.found(table, rows);
  }

  @Override
  public Optional<byte[]> row(String table, byte[] key) {
    return store.row(table, key);
  }

  @Override
  public void afterArrivals(Runnable then) {
    if (underWay.isEmpty()) {
      then.run();
    } else {
      barriers.add(new Barrier(arrivals - 1, then));
    }
  }

  @Override
  public void whenOpen(Runnable then) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void whenLeading(Runnable begin) {
    begin.run();
  }

  @Override
  public void afterStall(Runnable then) {
    afterStall = then;
  }

  /**
   * The log of the cluster could not be reached for some time. Called while nothing is under way.
   */
  void stall() {
    afterStall.run();
    checker.clocksAreResumed();
    settle();
  }

  @Override
  public void listenToRows(String table, Consumer<Map<String, Optional<byte[]>>> changed) {}

  @Override
  public Publisher publisher() {
    return this;
  }

  @Override
  public Signer signer() {
    return signer;
  }

  @Override
  public InstantSource time() {
    return time;
  }

  @Override
  public Deadlines deadlines() {
    return time;
  }

  @Override
  public RelayUrls urls() {
    return urls;
  }

  @Override
  public Metrics metrics() {
    return new Metrics() {
      @Override
      public Counter counter(String name, String help, String... labels) {
        return NONE.counter(name, help, labels);
      }

      @Override
      public Timer timer(String name, String help, String... labels) {
        return NONE.timer(name, help, labels);
      }

      @Override
      public void gauge(String name, String help, DoubleSupplier value, String... labels) {
        gauges.put(name, value);
      }
    };
  }

  @Override
  public Lane lane(String name, int capacity) {
    throw new UnsupportedOperationException("the lane is run by hand");
  }

  @Override
  public boolean isRefused(PubKey author) {
    return refused.contains(author);
  }

  @Override
  public void keepEvidence(Predicate<Event> isEvidence) {}

  @Override
  public void informationChanged() {}

  @Override
  public void disconnect(Predicate<ClientAddress> addresses) {}

  @Override
  public List<ConnectedClient> clients() {
    return List.of();
  }

  @Override
  public boolean disconnect(String id, String reason) {
    return false;
  }

  @Override
  public StoredEvents storedEvents() {
    return (filter, max) -> List.of();
  }

  @Override
  public boolean takesLogins() {
    return true;
  }

  @Override
  public void listenToSubscriptions(SubscriptionListener listener) {}
}
