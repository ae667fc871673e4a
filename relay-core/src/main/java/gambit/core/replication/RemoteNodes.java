package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.Delivery;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The other nodes, as their leader knows them: their clients' connections and subscriptions. Their
 * messages are handled in order, each once. A node of which one is missing has gone, like one that
 * is silent: its connections are closed for the leader's features, and it comes back with another
 * session, in which they are new. The writer's thread only.
 */
final class RemoteNodes {
  static final int MAX_DEPARTED = 1_000; // each start of a node is another one
  private static final ClientAddress LOOPBACK = ClientAddress.of(InetAddress.getLoopbackAddress());

  /** A node of which nothing is heard for so long is gone, and its clients with it. */
  static final Duration TIMEOUT = Duration.ofSeconds(4);

  /** The longest wait for what has arrived at other nodes. */
  static final Duration ARRIVALS_TIMEOUT = Duration.ofMillis(250);

  private record TimeoutKey(RemoteNodes owner, long number) {}

  private final ClusterMembership membership;
  private final HostRelay relay;
  private final Delivery live;
  private final EntryApplier.RowListeners rowListeners;
  private final LeaderCommits commits;
  private final Map<Long, RemoteNode> nodes = new HashMap<>();

  /**
   * Nodes that have gone, and may come back; beyond {@link #MAX_DEPARTED}, those that went last.
   */
  private final Map<Long, Departure> departed =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Departure> eldest) {
          return size() > MAX_DEPARTED;
        }
      };

  /**
   * A node when it went.
   *
   * @param session the newest one that is over
   * @param lastRequest it may ask again for what was decided
   */
  private record Departure(long session, long lastRequest) {
    private static final Departure NONE = new Departure(0, 0);
  }

  private static final class RemoteNode {
    private final long number;
    private final long session;
    private final Map<Long, RemoteConnection> connections = new HashMap<>();
    private long received = 1; // messages of the session
    private long announced; // messages of the session, by the last heartbeat
    private long lastRequest; // in all of its sessions
    private Instant heardAt; // by the steady clock

    private RemoteNode(long number, long session, long lastRequest, Instant heardAt) {
      this.number = number;
      this.session = session;
      this.lastRequest = lastRequest;
      this.heardAt = heardAt;
    }

    /** Does something with a connection, unless it has closed. */
    private void withConnection(long connection, Consumer<RemoteConnection> task) {
      Optional.ofNullable(connections.get(connection)).ifPresent(task);
    }
  }

  RemoteNodes(
      ClusterMembership membership,
      HostRelay relay,
      Delivery live,
      EntryApplier.RowListeners rowListeners,
      LeaderCommits commits) {
    this.membership = membership;
    this.relay = relay;
    this.live = live;
    this.rowListeners = rowListeners;
    this.commits = commits;
  }

  /**
   * Runs {@code then} when all messages are handled that have arrived at this node and at those
   * with connections, which forward what they have read and report that; or after {@link
   * #ARRIVALS_TIMEOUT}, if this node's are.
   */
  void afterArrivals(Runnable then) {
    Set<Long> others =
        nodes.values().stream()
            .filter(node -> !node.connections.isEmpty())
            .map(node -> node.number)
            .collect(Collectors.toSet());
    Set<Long> all = new HashSet<>(others);
    all.add(RemoteReports.HERE);
    RemoteReports reports = commits.reports();
    long number = reports.expect(all, isSent -> then.run());
    Runnable here = () -> reports.report(RemoteReports.HERE, number, false);
    relay.afterArrivals().accept(() -> relay.writer().execute(here));
    if (!others.isEmpty()) {
      byte[] request = BusMessage.encode(membership.node(), new BusMessage.FenceRequest(number));
      others.forEach(other -> membership.bus().send(other, request));
      Runnable timeout = () -> others.forEach(other -> reports.report(other, number, false));
      relay
          .deadlines()
          .set(
              new TimeoutKey(this, number),
              ARRIVALS_TIMEOUT,
              () -> relay.writer().execute(timeout));
    }
  }

  Map<Long, Long> sessions() {
    Map<Long, Long> sessions = new HashMap<>();
    nodes.forEach((number, node) -> sessions.put(number, node.session));
    return sessions;
  }

  /** A node was alive, and had sent so many messages in its session. */
  void heard(long number, BusMessage.Heartbeat heartbeat, Instant at) {
    RemoteNode node = nodes.get(number);
    if (node != null) {
      node.heardAt = at;
      if (heartbeat.linkSession() == node.session && node.announced > node.received) {
        lose(node); // its last messages
      }
      node.announced = heartbeat.linkSession() == node.session ? heartbeat.linkNumber() : 0;
    }
  }

  private void lose(RemoteNode node) {
    gone(node.number);
    requestSession(node.number, node.session);
  }

  private void requestSession(long node, long session) {
    membership
        .bus()
        .send(node, BusMessage.encode(membership.node(), new BusMessage.ResyncRequest(session)));
  }

  /** Handles a message that has arrived at that moment, unless it is out of order. */
  void handle(long from, BusMessage.LinkMessage message, Clocks.Moment at) {
    RemoteNode node = nodes.get(from);
    if (message.payload() instanceof LinkPayload.Hello hello) {
      begin(from, message.session(), hello, at.steady());
    } else if (node == null || message.session() != node.session) {
      if (message.session() > lastSession(from)) {
        requestSession(from, message.session()); // its beginning was lost
      }
    } else if (message.number() == node.received + 1) {
      node.heardAt = at.steady();
      node.received++;
      handle(node, message.payload(), at.time());
    } else if (message.number() > node.received) {
      lose(node);
    }
  }

  private long lastSession(long number) {
    RemoteNode node = nodes.get(number);
    return node != null ? node.session : departure(number).session();
  }

  private Departure departure(long number) {
    return departed.getOrDefault(number, Departure.NONE);
  }

  private void begin(long from, long session, LinkPayload.Hello hello, Instant at) {
    if (session > lastSession(from)) {
      gone(from);
      nodes.put(from, new RemoteNode(from, session, departure(from).lastRequest(), at));
      if (hello.needsStates()) {
        commits.sendStatesTo(from);
        relay.publisher().send(List.of()); // after the states, although nothing else may happen
      }
    }
  }

  private void handle(RemoteNode node, LinkPayload payload, Instant at) {
    if (payload instanceof LinkPayload.Submit it) {
      submit(node, it, at.minusMillis(it.ageMillis()));
    } else if (payload instanceof LinkPayload.CommitRequest it) {
      commit(node, it);
    } else if (payload instanceof LinkPayload.Open it) {
      open(node, it);
    } else if (payload instanceof LinkPayload.Login it) {
      node.withConnection(it.connection(), remote -> addKeys(remote, it.keys()));
    } else if (payload instanceof LinkPayload.Closed it) {
      close(node.connections.remove(it.connection()));
    } else if (payload instanceof LinkPayload.SubscriptionOpened it) {
      node.withConnection(it.connection(), remote -> subscribe(remote, it.filters()));
    } else if (payload instanceof LinkPayload.SubscriptionChecked it) {
      node.withConnection(
          it.connection(),
          remote -> live.notifyOfSubscription(all -> all.subscribed(remote, it.filters())));
    } else if (payload instanceof LinkPayload.SubscriptionClosed it) {
      node.withConnection(
          it.connection(),
          remote -> {
            if (remote.subscriptions().remove(it.filters())) {
              unsubscribe(remote, it.filters());
            }
          });
    } else if (payload instanceof LinkPayload.Report it) {
      commits.reports().report(node.number, it.number(), it.isSent());
    }
  }

  /** Whether a request was not received before, in this session or in an earlier one. */
  private static boolean isNew(RemoteNode node, long request) {
    if (request <= node.lastRequest) {
      return false;
    }
    node.lastRequest = request;
    return true;
  }

  private void submit(RemoteNode node, LinkPayload.Submit it, Instant arrivedAt) {
    if (!isNew(node, it.number())) {
      return;
    }
    RemoteConnection known = node.connections.get(it.connection());
    RemoteConnection connection = known == null ? unknown(node, it) : known;
    relay.ingest().takeForwarded(it.event(), connection, arrivedAt, it.awaited(), it.imported());
  }

  /** The connection of an import, or one that has closed before its event arrived. */
  private RemoteConnection unknown(RemoteNode node, LinkPayload.Submit it) {
    RemoteConnection connection = connection(node, it.connection(), LOOPBACK, it.imported());
    if (!it.imported()) {
      connection.close();
    }
    return connection;
  }

  private RemoteConnection connection(
      RemoteNode node, long number, ClientAddress address, boolean isOperator) {
    Effect.Client client = new Effect.Client(node.number, number);
    return new RemoteConnection(client, address, isOperator, relay.publisher()::send);
  }

  private void commit(RemoteNode node, LinkPayload.CommitRequest it) {
    if (!isNew(node, it.number())) {
      return;
    }
    boolean isTaken =
        relay
            .publisher()
            .store(
                it.commit(),
                outcome -> List.of(outcome(node, it, outcome)),
                outcome -> {
                  if (outcome == WriteOutcome.STORED) {
                    rowListeners.changed(it.commit().rows());
                  }
                });
    if (!isTaken) {
      relay.publisher().send(List.of(outcome(node, it, WriteOutcome.FAILED)));
    }
  }

  private static Outgoing outcome(
      RemoteNode node, LinkPayload.CommitRequest request, WriteOutcome outcome) {
    return new Effect.Outcome(node.number, request.number(), outcome);
  }

  private void open(RemoteNode node, LinkPayload.Open it) {
    RemoteConnection connection = connection(node, it.connection(), it.address(), it.isOperator());
    node.connections.put(it.connection(), connection);
    addKeys(connection, it.keys());
  }

  private void addKeys(RemoteConnection connection, Set<PubKey> keys) {
    for (PubKey key : keys) {
      if (connection.addKey(key)) {
        relay.listeners().forEach(listener -> listener.authenticated(connection, key));
      }
    }
  }

  private void subscribe(RemoteConnection remote, List<Filter> filters) {
    remote.subscriptions().add(filters);
    live.notifyOfSubscription(
        listener -> {
          listener.opened(remote, filters);
          listener.subscribed(remote, filters);
        });
  }

  private void unsubscribe(RemoteConnection remote, List<Filter> filters) {
    live.notifyOfSubscription(it -> it.closed(remote, filters));
  }

  private void close(@Nullable RemoteConnection remote) {
    if (remote != null) {
      remote.close();
      remote.subscriptions().forEach(filters -> unsubscribe(remote, filters));
      relay.listeners().forEach(listener -> listener.closed(remote));
    }
  }

  void gone(long number) {
    RemoteNode node = nodes.remove(number);
    if (node != null) {
      departed.remove(number); // it becomes the newest one
      departed.put(number, new Departure(node.session, node.lastRequest));
      node.connections.values().forEach(remote -> close(remote));
      commits.reports().nodeGone(number);
    }
  }

  /**
   * Removes the nodes of which nothing has been heard for too long.
   *
   * @param awakeSince when this process has last stood still, which says nothing of the others
   */
  void removeSilent(Instant at, Instant awakeSince) {
    Instant bound = at.minus(TIMEOUT);
    if (bound.isBefore(awakeSince)) {
      return;
    }
    List<Long> silent =
        nodes.values().stream()
            .filter(node -> node.heardAt.isBefore(bound))
            .map(node -> node.number)
            .toList();
    silent.forEach(this::gone);
  }
}
