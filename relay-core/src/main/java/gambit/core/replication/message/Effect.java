package gambit.core.replication.message;

import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.wire.RelayMessage.Ok;

/** The effects on one node that are not output of a feature. Immutable. */
public sealed interface Effect extends Outgoing.RemoteEffect {

  /** The number of the node. */
  long node();

  /** The answer to an event that the node has forwarded for a connection. */
  record Answer(long node, long connection, Ok ok) implements Effect {}

  /** A further OK for an event that has been answered. */
  record LateOk(long node, long connection, Ok ok) implements Effect {}

  /** The client is asked to log in. */
  record LoginRequest(long node, long connection) implements Effect {}

  /**
   * The outcome of a commit that the node has forwarded.
   *
   * @param request the node's number of the request
   */
  record Outcome(long node, long request, WriteOutcome outcome) implements Effect {}

  /** A current state for a node that has none yet. */
  record State(long node, Outgoing.Current state) implements Effect {}

  /** A node that had none has been told all current states. */
  record StatesEnd(long node) implements Effect {}
}
