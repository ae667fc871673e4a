package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.RelayMessage.Ok;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What other nodes do once they have applied the group of an entry: the complete list. What has the
 * name of an {@link Outgoing} is that output's part for other nodes. Treated as immutable.
 */
sealed interface Effect extends Outgoing.RemoteEffect {

  /** A connection to another node, with that node's number of it. */
  record Client(long node, long number) {}

  /** The receiver of a frame with a number in place of the subscription id. */
  record NumberedClient(Client client, int number) {}

  static Set<Long> nodes(List<Client> clients, List<NumberedClient> numbered) {
    Set<Long> nodes = new HashSet<>();
    clients.forEach(it -> nodes.add(it.node()));
    numbered.forEach(it -> nodes.add(it.client().node()));
    return nodes;
  }

  record Broadcast(Event event, List<NumberedClient> fallbacks) implements Effect {}

  /**
   * The same for some connections.
   *
   * @param report the number of the report that each of their nodes owes; 0 for none
   */
  record Multicast(Event event, List<Client> to, List<NumberedClient> fallbacks, long report)
      implements Effect {}

  record OutputReport(List<Client> of, long report) implements Effect {}

  record SubscriptionCheck(Event event) implements Effect {}

  /**
   * A current state, which each node signs.
   *
   * @param node a node that has no states yet; 0 for all nodes
   * @param packed the event without its signature
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares states
  record Current(long node, String key, int kind, Set<PubKey> about, byte[] packed, boolean ends)
      implements Effect {
    public Current(long node, Outgoing.Current state, Event unsigned) {
      this(
          node,
          state.key(),
          state.kind(),
          state.about(),
          RecordCodec.packed(unsigned),
          state.ends());
    }

    /** The event without its signature. */
    public Event event() {
      return RecordCodec.unpacked(packed);
    }
  }

  record StateRemoval(String key, int kind) implements Effect {}

  /** A node that had none has been told all current states. */
  record StatesEnd(long node) implements Effect {}

  /** The answer to an event that the node has forwarded for a connection. */
  record Answer(Client to, Ok ok) implements Effect {}

  /** A further OK for an event that has been answered. */
  record LateOk(Client to, Ok ok) implements Effect {}

  record LoginRequest(Client to) implements Effect {}

  /** The outcome of a commit that the node has forwarded, with that node's number of it. */
  record Outcome(long node, long request, WriteOutcome outcome) implements Effect {}
}
