package gambit.core.replication;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.Delivery;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.replication.LeaderLink.ForwardedCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What a node does for the others while it leads. The writer's thread only. */
final class Leadership {
  /** A node of which nothing is heard for so long is gone, and its clients with it. */
  private static final Duration NODE_TIMEOUT = Duration.ofSeconds(4);

  private final HostRelay relay;
  private final Delivery live;
  private final LocalNode local;
  private final LeaderLink link;
  private final Fences fences;
  private final RemoteNodes remote;

  /**
   * A node that leads from now on.
   *
   * @param link has what this node's clients have begun at the earlier leader
   */
  Leadership(
      ClusterParts parts,
      HostRelay relay,
      Delivery live,
      LocalNode local,
      LeaderLink link,
      RowListeners rowListeners,
      LeaderCommits commits) {
    this.relay = relay;
    this.live = live;
    this.local = local;
    this.link = link;
    this.fences =
        new Fences(
            parts.bus(), parts.node(), parts.firstNumber(), relay.writer(), relay.deadlines());
    this.remote =
        new RemoteNodes(
            new RemoteNodes.Ports(
                parts.bus(),
                parts.node(),
                relay.ingest(),
                relay.publisher(),
                live,
                relay.listeners(),
                rowListeners,
                commits.reports(),
                fences,
                commits.states()),
            NODE_TIMEOUT);
  }

  /** Begins to handle what clients want, first of this node. */
  void begin() {
    link.lead(new Resumption());
  }

  private final class Resumption implements LeaderLink.NewLeader {
    @Override
    public void resume(ClientConnection connection, List<List<Filter>> subscriptions) {
      for (PubKey key : connection.keys()) {
        relay.listeners().forEach(it -> it.authenticated(connection, key));
      }
      for (List<Filter> filters : subscriptions) { // the listeners have heard of their opening
        live.notifyOfSubscription(listener -> listener.subscribed(connection, filters));
      }
    }

    @Override
    public void take(Submission submission, boolean isImported) {
      relay
          .ingest()
          .takeForwarded(
              submission.event(),
              submission.connection(),
              submission.arrivedAt(),
              submission.awaited(),
              isImported);
    }

    @Override
    public void take(ForwardedCommit commit) {
      boolean isTaken =
          relay.publisher().store(commit.commit(), commit.outcome(), commit.settled());
      if (!isTaken) {
        local.settle(commit, WriteOutcome.FAILED);
        live.release(local.takeOutput());
        local.tellSettled();
      }
    }
  }

  /** Runs {@code then} when every message that has arrived at any node is handled, or soon. */
  void afterArrivals(Runnable then) {
    fences.await(remote.withConnections(), relay.afterArrivals(), then);
  }

  /** Handles a message of another node. */
  void handle(long from, BusMessage.LinkMessage message, Clocks.Moment at) {
    remote.handle(from, message, at);
  }

  /** A node was alive at a moment of the steady clock. */
  void heard(long from, BusMessage.Heartbeat heartbeat, Instant at) {
    remote.heard(from, heartbeat, at);
  }

  /** A node has left. */
  void gone(long node) {
    remote.gone(node);
  }

  /**
   * Removes nodes that have been silent for too long. Called now and then.
   *
   * @param at now, after whatever has arrived before it was handled, by the steady clock
   * @param awakeSince when this process has last stood still
   */
  void tick(Instant at, Instant awakeSince) {
    remote.removeSilent(at, awakeSince);
  }

  /** The session that each node has begun. */
  Map<Long, Long> sessions() {
    return remote.sessions();
  }
}
