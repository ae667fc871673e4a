package gambit.core.replication;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.Forwarding;
import gambit.core.live.Delivery;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node tells its leader: the events and commits that the leader decides, and as far as they
 * concern it, its clients' connections and subscriptions. The messages of a session are numbered. A
 * session begins with everything that is still open, so that a new leader, or one that has missed a
 * message, knows it. For a player, that is a restart: a connection about which the leader has
 * decided something is closed instead, since only that leader knew what.
 *
 * <p>Thread-safe. Bound: the connections, their subscriptions, and the events and commits under
 * way.
 */
class LeaderLink implements Forwarding, ConnectionListener, SubscriptionListener {
  /** The most bytes of a message beside its event or rows. */
  private static final int FRAME_BYTES = 1024;

  private static final int ID_BYTES = 33;

  private static final Reason TOO_LARGE = Reason.error("the event is too large for the cluster");

  private final Bus bus;
  private final long node;
  private final Supplier<Optional<Reason>> objection;
  private final InstantSource time;

  private final Map<ClientConnection, Known> connections = new HashMap<>(); // by identity
  private final Map<Long, Known> byNumber = new HashMap<>();
  private final Map<Long, Request> requests = new LinkedHashMap<>(); // in order, by their number
  private final List<SubscriptionListener> features = new ArrayList<>(2);
  private boolean leads;
  private boolean hasStates;
  private long leader; // 0 while there is none
  private long session;
  private long sent; // messages of the session
  private long lastConnection;
  private long lastRequest;
  private @Nullable List<Filter> justOpened;
  private Metrics.Timer verdicts = nanos -> {};

  LeaderLink(Bus bus, long node, Supplier<Optional<Reason>> objection, InstantSource time) {
    this.bus = bus;
    this.node = node;
    this.objection = objection;
    this.time = time;
    this.session = time.millis(); // later than those before a restart; the node's number differs
  }

  /** Records the time until the leader's verdict on an event of this node was applied. */
  synchronized void measure(Metrics.Timer registered) {
    verdicts = registered;
  }

  /** Adds a feature that is asked what concerns the leader. During installation only. */
  synchronized void add(SubscriptionListener feature) {
    features.add(feature);
  }

  /** A connection that the leader knows, or will know with the next session. */
  private static final class Known {
    private final long number;
    private final ClientConnection connection;
    private final List<List<Filter>> subscriptions = new ArrayList<>(1);
    private boolean isPlayers; // the leader has decided something about it

    private Known(long number, ClientConnection connection) {
      this.number = number;
      this.connection = connection;
    }
  }

  private sealed interface Request {}

  private record Forwarded(
      long number, long connection, Submission submission, boolean isClaimed, boolean isImported)
      implements Request {}

  record ForwardedCommit(
      Commit commit, Function<WriteOutcome, List<Outgoing>> outcome, Consumer<WriteOutcome> settled)
      implements Request {}

  // ---- what the leader decides

  @Override
  public Optional<Reason> objection() {
    return objection.get();
  }

  @Override
  public void spread(Event event) {
    bus.sendToAll(BusMessage.encode(node, new BusMessage.Ephemeral(event)));
  }

  /** {@inheritDoc} One that no message can contain is refused. */
  @Override
  public synchronized boolean forward(
      Submission submission, boolean isClaimed, boolean isImported) {
    if (leads) {
      return false;
    }
    Event event = submission.event();
    if (event.json().length > bus.maxMessageBytes() - FRAME_BYTES) {
      submission.connection().answer(event, Ok.refused(event, TOO_LARGE));
      return true;
    }
    long connection = numberOf(submission.connection());
    Forwarded request = new Forwarded(++lastRequest, connection, submission, isClaimed, isImported);
    requests.put(request.number(), request);
    send(request);
    return true;
  }

  /** Only a connection that lives longer than one event is announced. */
  private long numberOf(ClientConnection connection) {
    boolean isKnown = connection.isOpen() && !connection.isForOneEvent();
    return isKnown ? known(connection).number : ++lastConnection;
  }

  /** {@inheritDoc} Throws {@link IllegalArgumentException} if no message can contain it. */
  @Override
  public synchronized boolean forward(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    if (leads) {
      return false;
    }
    if (commit.addition() != null) {
      throw new IllegalArgumentException("only the leader can add to a commit");
    }
    if (bytes(commit) > bus.maxMessageBytes() - FRAME_BYTES) {
      throw new IllegalArgumentException("a commit that is too large for the cluster");
    }
    requests.put(++lastRequest, new ForwardedCommit(commit, outcome, settled));
    send(new LinkPayload.CommitRequest(lastRequest, commit));
    return true;
  }

  private static long bytes(Commit commit) {
    int ids = commit.withdrawn().size() + commit.erased().size();
    return commit.addedBytes() + (long) ids * ID_BYTES;
  }

  private void send(Forwarded request) {
    Submission submission = request.submission();
    Duration age = Duration.between(submission.arrivedAt(), time.instant());
    send(
        new LinkPayload.Submit(
            request.number(),
            request.connection(),
            Math.max(0, age.toMillis()),
            submission.awaited(),
            request.isImported(),
            submission.event()));
  }

  /** The oldest event with that id that waits for its answer; it waits no more. */
  synchronized @Nullable Submission answered(long connection, EventId id) {
    for (Request request : requests.values()) { // answers come in about the same order
      if (request instanceof Forwarded it
          && it.connection() == connection
          && it.submission().event().id().equals(id)) {
        requests.remove(it.number());
        if (it.isClaimed()) {
          receiver(connection);
        }
        verdicts.record(Duration.between(it.submission().arrivedAt(), time.instant()).toNanos());
        return it.submission();
      }
    }
    return null;
  }

  /** The commit with that number, if it waits for its outcome; it waits no more. */
  synchronized @Nullable ForwardedCommit settled(long request) {
    return requests.get(request) instanceof ForwardedCommit
        ? (ForwardedCommit) requests.remove(request)
        : null;
  }

  synchronized int waiting() {
    return requests.size();
  }

  // ---- connections and subscriptions

  /** An open connection: its end is told later. */
  private Known known(ClientConnection connection) {
    Known known = connections.get(connection);
    if (known == null) {
      known = new Known(++lastConnection, connection);
      connections.put(connection, known);
      byNumber.put(known.number, known);
      announce(known);
    }
    return known;
  }

  private void announce(Known known) {
    ClientConnection connection = known.connection;
    send(
        new LinkPayload.Open(
            known.number, connection.address(), connection.isOperator(), connection.keys()));
  }

  /** The connection with that number, unless it has closed. */
  synchronized Optional<ClientConnection> connection(long number) {
    return Optional.ofNullable(byNumber.get(number)).map(known -> known.connection);
  }

  /** The same; the leader has decided something about the connection. */
  synchronized Optional<ClientConnection> receiver(long number) {
    Known known = byNumber.get(number);
    if (known != null) {
      known.isPlayers = true;
    }
    return connection(number);
  }

  @Override
  public synchronized void authenticated(ClientConnection connection, PubKey key) {
    if (!leads && connection.isOpen()) {
      send(new LinkPayload.Login(known(connection).number, connection.keys()));
    }
  }

  @Override
  public synchronized void closed(ClientConnection connection) {
    Known known = connections.remove(connection);
    if (known != null) {
      byNumber.remove(known.number);
      send(new LinkPayload.Closed(known.number));
    }
  }

  @Override
  public synchronized void opened(ClientConnection connection, List<Filter> filters) {
    if (leads || !connection.isOpen() || connection instanceof RemoteConnection) {
      return;
    }
    justOpened = filters;
    if (features.stream().anyMatch(it -> it.concernsLeader(connection, filters))) {
      Known known = known(connection);
      known.subscriptions.add(filters);
      send(new LinkPayload.SubscriptionOpened(known.number, filters));
    }
  }

  @Override
  public synchronized void subscribed(ClientConnection connection, List<Filter> filters) {
    boolean isNew = filters == justOpened;
    justOpened = null;
    if (!leads && !isNew && connection.isOpen() && !(connection instanceof RemoteConnection)) {
      send(new LinkPayload.SubscriptionChecked(known(connection).number, filters));
    }
  }

  @Override
  public synchronized void closed(ClientConnection connection, List<Filter> filters) {
    Known known = connections.get(connection);
    if (known != null && known.subscriptions.remove(filters)) {
      send(new LinkPayload.SubscriptionClosed(known.number, filters));
    }
  }

  /** Tells the leader whether output was sent, or that what had arrived was forwarded. */
  synchronized void report(long number, boolean isSent) {
    send(new LinkPayload.Report(number, isSent));
  }

  // ---- sessions

  /** Begins a session with a leader; returns the players' connections, which must be closed. */
  synchronized List<ClientConnection> begin(long newLeader) {
    List<ClientConnection> players = removePlayers(leader == newLeader);
    leader = newLeader;
    session++;
    sent = 0;
    send(new LinkPayload.Hello(!hasStates));
    for (Known known : connections.values()) {
      announce(known);
      for (List<Filter> filters : known.subscriptions) {
        send(new LinkPayload.SubscriptionOpened(known.number, filters));
      }
    }
    requests.forEach(
        (number, request) -> {
          if (request instanceof Forwarded forwarded) {
            send(forwarded);
          } else if (request instanceof ForwardedCommit commit) {
            send(new LinkPayload.CommitRequest(number, commit.commit()));
          }
        });
    return players;
  }

  /**
   * Removes the connections about which the leader has decided something.
   *
   * @param mayDecide whether that leader still leads, so that it may have decided about events that
   *     are not answered yet
   */
  private List<ClientConnection> removePlayers(boolean mayDecide) {
    if (mayDecide) {
      for (Request request : requests.values()) {
        if (request instanceof Forwarded it && it.isClaimed()) {
          receiver(it.connection());
        }
      }
    }
    List<Known> players = connections.values().stream().filter(it -> it.isPlayers).toList();
    for (Known player : players) {
      connections.remove(player.connection);
      byNumber.remove(player.number);
    }
    return players.stream().map(it -> it.connection).toList();
  }

  synchronized void statesArrived() {
    hasStates = true;
  }

  synchronized boolean hasStates() {
    return hasStates;
  }

  /**
   * This node will lead soon, or leaves: all waits. Returns the players' connections, to be closed.
   */
  synchronized List<ClientConnection> awaitLead() {
    leader = 0;
    return removePlayers(false);
  }

  synchronized long session() {
    return session;
  }

  synchronized long sent() {
    return sent;
  }

  private void send(LinkPayload payload) {
    if (leader != 0 && !leads) {
      bus.send(
          leader, BusMessage.encode(node, new BusMessage.LinkMessage(session, ++sent, payload)));
    }
  }

  /**
   * Nothing is forwarded from now on. What has waited is handled before anything later: first the
   * connections are announced to this node's features, then the events and commits are decided. The
   * writer's thread only.
   */
  synchronized void lead(HostRelay relay, Delivery live) {
    List<Known> open = List.copyOf(connections.values());
    List<Request> waiting = List.copyOf(requests.values());
    connections.clear();
    byNumber.clear();
    requests.clear();
    leads = true; // a feature that commits now is not to wait
    for (Known known : open) {
      for (PubKey key : known.connection.keys()) {
        relay.listeners().forEach(it -> it.authenticated(known.connection, key));
      }
      for (List<Filter> filters : known.subscriptions) { // the listeners know that they are open
        live.notifyOfSubscription(listener -> listener.subscribed(known.connection, filters));
      }
    }
    for (Request request : waiting) {
      if (request instanceof Forwarded it) {
        Submission submission = it.submission();
        relay
            .ingest()
            .takeForwarded(
                submission.event(),
                submission.connection(),
                submission.arrivedAt(),
                submission.awaited(),
                it.isImported());
      } else if (request instanceof ForwardedCommit it
          && !relay.publisher().store(it.commit(), it.outcome(), it.settled())) {
        live.release(it.outcome().apply(WriteOutcome.FAILED));
        it.settled().accept(WriteOutcome.FAILED);
      }
    }
  }
}
