package gambit.core.replication;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.Outgoing;
import gambit.core.feature.SubscriptionListener;
import gambit.core.ingest.Forwarding;
import gambit.core.ingest.Replication;
import gambit.core.ingest.Replication.Overtaken;
import gambit.core.ingest.StorageRules;
import gambit.core.live.Delivery;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.replication.LeaderWatch.TakeoverCause;
import gambit.core.replication.NodeState.Role;
import gambit.core.store.EventStore;
import gambit.core.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster: it follows the shared log until it takes over, and then leads until another
 * node does. The log alone decides who leads; heartbeats decide only when somebody tries to. The
 * writer's thread only, unless stated.
 */
public final class ClusterNode implements Bus.Receiver {
  /** The time between heartbeats of a leader. */
  static final Duration TICK = Duration.ofMillis(250);

  /** A follower sends its heartbeat with every fourth tick, which may be a bit early. */
  private static final Duration FOLLOWERS_PERIOD = TICK.multipliedBy(7).dividedBy(2);

  /**
   * A leader that is silent for so long is sought. If it has no connection, this node need not be
   * patient: a busy leader keeps its connection. One whose server of NATS ended has another within
   * this time.
   */
  private static final Duration OVERDUE = TICK.multipliedBy(2);

  /** A leader that knows nothing of this node's session for so long gets another one. */
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(1);

  /** A process whose timer has not run for so long has stood still. */
  private static final Duration STANDSTILL = TICK.multipliedBy(4);

  /**
   * The most bytes of messages that wait for the writer's thread. More are lost, except for the few
   * that tell whether a node lives.
   */
  private static final long MAX_QUEUED_BYTES = 64 << 20;

  private static final LimitedLog LOG = LimitedLog.of(ClusterNode.class);

  private final ClusterMembership membership;
  private final Delivery live;
  private final Clocks clocks;
  private final NodeState state;
  private final LeaderLink link;
  private final EntryApplier applier;
  private final LeaderCommits commits;
  private final EntryApplier.RowListeners rowListeners = new EntryApplier.RowListeners();
  private final List<Runnable> whenLeading = new ArrayList<>();
  private final List<Runnable> afterStall = new ArrayList<>();
  private final List<Runnable> postponed = new ArrayList<>(0); // until events are taken again
  private final AtomicLong queuedBytes = new AtomicLong(); // of messages of other nodes
  private @Nullable HostRelay relay;
  private @Nullable RemoteNodes remote; // while it leads
  private ClusterMetrics metrics;
  private TakeoverCause cause = TakeoverCause.NO_LEADER; // of the last attempt of this node
  private final LeaderWatch watch;
  private Instant sessionBegan; // by the steady clock
  private volatile @Nullable TakeoverCause due; // another leader is due, since that one has gone
  private boolean isLeaving; // this node
  private boolean isAway = true; // there are no clients, or they were sent away; the timer's only
  private volatile boolean isStarting; // to lead
  private Instant ledSince = Instant.MIN; // by the steady clock, after its start
  private volatile @Nullable SentHeartbeat lastHeartbeat;
  private @Nullable Instant timedAt; // by the steady clock; the timer's only
  private volatile Instant awakeSince = Instant.EPOCH; // by the steady clock

  private record SentHeartbeat(BusMessage.Heartbeat message, Instant at) {}

  ClusterNode(
      ClusterMembership membership,
      EventStore store,
      StorageRules rules,
      Delivery live,
      Signer signer,
      Clocks clocks,
      Runnable pause) {
    this.membership = membership;
    this.live = live;
    this.clocks = clocks;
    this.state =
        new NodeState(
            ClusterRow.epoch(store), store.logEnd().sequence(), clocks, membership.maxStaleness());
    this.link =
        new LeaderLink(membership.bus(), membership.node(), state::objection, clocks.time());
    this.applier =
        new EntryApplier(
            store, rules, live, new OutputDecoder(membership.node(), link, signer), rowListeners);
    this.commits =
        new LeaderCommits(membership, store, state, clocks.time(), pause, this::overtaken);
    this.watch = new LeaderWatch(state, live, clocks.steady());
    this.sessionBegan = clocks.steady().instant();
    this.metrics = new ClusterMetrics(this, Metrics.NONE);
  }

  // ---- what the relay's features are told; during its start, on one thread

  /** As {@code RelayBuilder.whenLeading}; the following methods likewise. */
  public void whenLeading(Runnable begin) {
    whenLeading.add(begin);
  }

  public void afterStall(Runnable then) {
    afterStall.add(then);
  }

  public void listenToRows(String table, Consumer<Map<String, Optional<byte[]>>> changed) {
    rowListeners.add(table, changed);
  }

  public void listenToSubscriptions(SubscriptionListener listener) {
    link.add(listener);
  }

  public ConnectionListener connectionListener() {
    return link;
  }

  public SubscriptionListener subscriptionListener() {
    return link;
  }

  /** Connects the node with the relay; called once, before it follows the log. */
  public void connect(HostRelay host) {
    relay = host;
  }

  private HostRelay relay() {
    return Objects.requireNonNull(relay);
  }

  private RemoteNodes remote() {
    return Objects.requireNonNull(remote);
  }

  /** Registers the node's metrics; called once, before it starts. */
  public void measure(Metrics registry) {
    metrics = new ClusterMetrics(this, registry);
    link.measure(metrics.verdicts);
  }

  /** Whether a leader waits for the log, as while NATS cannot be reached. Any thread. */
  public boolean isWaitingForLog() {
    return commits.isAppending();
  }

  public NodeState state() {
    return state;
  }

  /** Whether this node has the current states of a leader. Any thread. */
  boolean hasStates() {
    return link.hasStates();
  }

  /** The number of events and commits of this node that wait for the leader. Any thread. */
  public int waiting() {
    return link.waiting();
  }

  public boolean leads() {
    return state.leads();
  }

  public Forwarding forwarding() {
    return link;
  }

  public Replication replication() {
    return commits;
  }

  private void send(BusMessage message) {
    membership.bus().sendToAll(BusMessage.encode(membership.node(), message));
  }

  /**
   * Runs {@code then} when every message that has arrived at any node is handled, or soon; not
   * while events are refused, since nobody can be in time then. Any thread.
   */
  public void afterArrivals(Runnable then) {
    onWriter(
        () -> {
          if (leads() && state.objection().isPresent()) {
            postponed.add(then);
          } else if (leads()) {
            remote().afterArrivals(then);
          }
        });
  }

  void onWriter(Runnable task) {
    relay().writer().execute(task);
  }

  // ---- leading

  private void overtaken(String cause) {
    state.setOvertaken();
    membership.onOvertaken().accept(cause);
  }

  private void takeOver(TakeoverCause cause) {
    if (!isLeaving) {
      this.cause = cause;
      commits.takeOver().ifPresent(entry -> applier.follow(List.of(entry), this));
    }
  }

  /** This node's takeover is in the log, and everything before it is applied. */
  private void lead() {
    closePlayers(link.awaitLead());
    remote = new RemoteNodes(membership, relay(), live, rowListeners, commits);
    state.lead();
    isStarting = true;
    try {
      send(heartbeat().waiting()); // since the features may take long
      whenLeading.forEach(Runnable::run);
      ledSince = clocks.steady().instant();
      send(heartbeat().waiting()); // the sessions that have begun meanwhile are not known yet
      link.lead(relay(), live);
    } catch (RuntimeException e) {
      throw new StoreFailure("this node cannot lead its cluster", e);
    } finally {
      isStarting = false;
    }
  }

  /** Leaves the cluster, and hands over if it leads: it commits nothing any more. */
  void resign() {
    isLeaving = true;
    if (leads()) {
      state.setOvertaken();
      send(new BusMessage.Resign(state.epoch(), state.applied()));
    } else {
      send(new BusMessage.Goodbye());
      link.awaitLead(); // nothing more, or the leader would take this node for one that is back
    }
  }

  // ---- following

  EntryApplier applier() {
    return applier;
  }

  boolean takeOverIfDue() {
    TakeoverCause known = due;
    if (known != null) {
      takeOver(known);
    }
    return known != null;
  }

  /** A leader must not follow the entry of another one; its own takeover may precede that. */
  void requireFollowing(Entry entry) {
    if (leads()) {
      overtaken("another node has appended entry " + entry.group().sequence());
      throw new Overtaken("it leads no more");
    }
  }

  void confirm(SharedLog.Range range, Clocks.Moment at) {
    boolean hasRefused = state.objection().isPresent();
    Duration staleness = state.staleness();
    state.confirm(range.last(), at, range.age());
    if (leads() && state.objection().isEmpty()) {
      if (hasRefused) {
        LOG.warn("The log could not be reached for {} ms", staleness.toMillis());
        afterStall.forEach(Runnable::run);
      }
      List<Runnable> due = List.copyOf(postponed);
      postponed.clear();
      due.forEach(remote()::afterArrivals);
    }
    if (state.epoch() == 0 && range.last() <= state.applied()) {
      takeOver(TakeoverCause.NO_LEADER);
    }
  }

  /** A takeover: the log's order is that of another leader from here on. */
  void begin(Entry takeover) {
    requireFollowing(takeover);
    boolean isOwn = takeover.leader() == membership.node();
    watch.changed(takeover, isOwn ? cause : null, waiting());
    state.begin(takeover);
    due = null;
    watch.heard(clocks.steady().instant());
    if (isOwn) {
      metrics.takenOver(cause);
      lead();
    } else if (!isLeaving) {
      beginSession();
    }
  }

  private void beginSession() {
    sessionBegan = clocks.steady().instant();
    closePlayers(link.begin(state.leader()));
  }

  /** Disconnects clients, once the output that this node has applied is sent to them. */
  private void closePlayers(List<ClientConnection> players) {
    if (!players.isEmpty()) {
      live.execute(() -> players.forEach(ClientConnection::closeForRestart));
    }
  }

  // ---- time and messages

  /**
   * Called every {@link #TICK}, by a timer, since the writer's thread of a leader may wait for the
   * log: sends the clients away once this node knows too little, notices that the process has stood
   * still, and tells the others that a leader lives which waits.
   */
  void timed(Instant at) {
    if (timedAt != null && at.isAfter(timedAt.plus(STANDSTILL))) {
      awakeSince = at;
    }
    timedAt = at;
    sendAwayIfCutOff();
    repeatHeartbeat(at);
  }

  /**
   * While NATS elects a leader of the log, this node's disk is slow, or its features begin, a
   * leader would fall silent, and another node take over as soon as it can. A leader that waits for
   * longer than {@link NodeState#isCutOff} allows is silent.
   */
  private void repeatHeartbeat(Instant at) {
    SentHeartbeat last = lastHeartbeat;
    if (last != null
        && last.message().leads()
        && !at.isBefore(last.at().plus(TICK))
        && (isStarting || commits.isAppending() || isCommittingToSlowDisk())
        && !state.isCutOff()) {
      send(last.message().waiting());
    }
  }

  /**
   * Whether a commit waits for this node's disk, and not yet for so long that this node would have
   * to read the log again: then the others should not wait any more.
   */
  private boolean isCommittingToSlowDisk() {
    return commits.isCommitting() && state.objection().isEmpty();
  }

  private void sendAwayIfCutOff() {
    boolean wasCutOff = isAway;
    isAway = state.isCutOff();
    if (isAway && !wasCutOff && state.role() != Role.OVERTAKEN) {
      LOG.warn(
          "The cluster has been out of reach for {} s: clients are sent away",
          state.age().toSeconds());
      relay().sendAway().run();
    }
  }

  /** Whether {@link #tick} has something to do, which wakes the writer's thread. Any thread. */
  boolean isTickDue(Instant at) {
    SentHeartbeat last = lastHeartbeat;
    return last == null
        || leads()
        || !at.isBefore(last.at().plus(FOLLOWERS_PERIOD))
        || due != null
        || watch.isSilentFor(OVERDUE, at, awakeSince);
  }

  /**
   * Called every {@link #TICK} if that {@linkplain #isTickDue is due}, unless the call before still
   * waits.
   *
   * @param at when it was queued, after every message that has arrived before, by the steady clock
   */
  void tick(Instant at) {
    if (state.role() == Role.OVERTAKEN || isLeaving) {
      return;
    }
    watch.forgetStates();
    BusMessage.Heartbeat heartbeat = heartbeat();
    send(at.isBefore(ledSince) ? heartbeat.waiting() : heartbeat);
    if (leads()) {
      remote().removeSilent(at, awakeSince);
    } else if (!takeOverIfDue() && watch.isSilentFor(OVERDUE, at, awakeSince)) {
      missLeader(at);
    }
  }

  private void missLeader(Instant at) {
    if (watch.isSilentFor(membership.takeoverAfter(), at, awakeSince)) {
      takeOver(state.hasLeader() ? TakeoverCause.SILENCE : TakeoverCause.NO_LEADER);
    } else if (state.hasLeader()) {
      membership.bus().seek(state.leader());
    }
  }

  /** {@inheritDoc} Any thread; never waits. */
  @Override
  public void absent(long node) {
    Instant at = clocks.steady().instant();
    onWriter(
        () -> {
          boolean isLeader = state.role() == Role.FOLLOWING && node == state.leader();
          if (isLeader && watch.isSilentFor(OVERDUE, at, awakeSince)) {
            due = TakeoverCause.ABSENCE;
            takeOverIfDue();
          }
        });
  }

  /** A heartbeat, which the caller sends now. */
  private BusMessage.Heartbeat heartbeat() {
    BusMessage.Heartbeat heartbeat =
        new BusMessage.Heartbeat(
            membership.name(),
            leads(),
            false,
            state.epoch(),
            state.applied(),
            link.session(),
            link.sent(),
            leads() ? remote().sessions() : Map.of());
    lastHeartbeat = new SentHeartbeat(heartbeat, clocks.steady().instant());
    return heartbeat;
  }

  /**
   * Receives a message of another node: delivers an event that nobody stores, and leaves the rest
   * to the writer's thread, unless too much waits for that. Any thread; never waits.
   */
  @Override
  public void receive(byte[] message) {
    Clocks.Moment at = clocks.now();
    int length = message.length; // the message itself is not kept
    BusMessage.Received known = known(message).orElse(null);
    if (known == null) {
      return;
    }
    if (known.message() instanceof BusMessage.Ephemeral it) {
      live.offer(Set.of(), List.of(new Outgoing.Broadcast(it.event(), List.of())));
    } else if (queuedBytes.addAndGet(length) > MAX_QUEUED_BYTES && !isSignOfLife(known.message())) {
      queuedBytes.addAndGet(-length);
      LOG.warn("A message of another node was dropped, because this one is too slow");
    } else {
      onWriter(
          () -> {
            queuedBytes.addAndGet(-length);
            handle(known.node(), known.message(), at);
          });
    }
  }

  private static boolean isSignOfLife(BusMessage message) {
    return message instanceof BusMessage.Heartbeat
        || message instanceof BusMessage.Goodbye
        || message instanceof BusMessage.Resign;
  }

  /**
   * Reads a message of another node. One that cannot be read is lost, as any message may be: a node
   * that was upgraded, or that fails, must not end the others.
   */
  static Optional<BusMessage.Received> known(byte[] message) {
    try {
      return Optional.of(BusMessage.decode(message));
    } catch (RecordCodec.UnknownVersion e) {
      LOG.warn("{}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("A message of another node is unreadable", e);
    }
    return Optional.empty();
  }

  private void handle(long from, BusMessage message, Clocks.Moment at) {
    if (state.role() == Role.OVERTAKEN || isLeaving) {
      return;
    }
    if (message instanceof BusMessage.LinkMessage it && leads()) {
      remote().handle(from, it, at);
    } else if (message instanceof BusMessage.Heartbeat it) {
      heard(from, it, at.steady());
    } else if (message instanceof BusMessage.FenceRequest it) {
      relay().afterArrivals().accept(() -> link.report(it.number(), false));
    } else if (message instanceof BusMessage.ResyncRequest it
        && from == state.leader()
        && it.session() == link.session()) {
      beginSession();
    } else if (message instanceof BusMessage.Resign it) {
      resigned(from, it);
    } else if (message instanceof BusMessage.Goodbye && leads()) {
      remote().gone(from);
    }
  }

  private void heard(long from, BusMessage.Heartbeat it, Instant at) {
    if (leads()) {
      remote().heard(from, it, at);
    } else if (it.leads()
        && it.epoch() == state.epoch()
        && (!state.hasLeader() || state.leader() == from)) {
      state.setLeader(from);
      watch.heard(at);
      due = due == TakeoverCause.ABSENCE ? null : due; // it is connected again
      boolean isKnown =
          it.waits() || Objects.equals(it.sessions().get(membership.node()), link.session());
      if (!isKnown && !clocks.steady().instant().isBefore(sessionBegan.plus(SESSION_TIMEOUT))) {
        beginSession();
      }
    }
  }

  private void resigned(long from, BusMessage.Resign it) {
    if (!leads() && it.epoch() == state.epoch() && from == state.leader()) {
      due = TakeoverCause.HANDOVER;
      if (state.applied() >= it.applied()) {
        takeOver(TakeoverCause.HANDOVER);
      }
    }
  }
}
