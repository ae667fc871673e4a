package gambit.core.replication;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import org.jspecify.annotations.Nullable;

/** What a node knows of its own clients when it reads the leader's output for them. */
interface LocalClients {

  /** The number of the node. */
  long node();

  /** A connection to this node by its number; null if it has closed. */
  @Nullable ClientConnection connection(long number);

  /** The same, of a connection that gets output of the leader's features. */
  @Nullable ClientConnection receiver(long number);

  /**
   * Removes and returns the oldest submission of a connection with that id that the leader has not
   * answered; null if there is none.
   */
  @Nullable Submission answered(long connection, EventId id);

  /**
   * Reports to the leader whether output was sent. Any thread; at most once for each number, and
   * never if all its connections close after this node has read it.
   */
  void report(long number, boolean isSent);

  /** The outcome of a commit that this node has forwarded, by its own number of the request. */
  void settled(long request, WriteOutcome outcome);

  /** All current states have been told to this node, which had none. */
  void statesArrived();

  /** Signs with the relay's key, which all nodes have. */
  Signer signer();
}
