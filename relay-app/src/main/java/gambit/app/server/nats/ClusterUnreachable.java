package gambit.app.server.nats;

import gambit.app.server.data.StartFailure;

/** A start fails because NATS cannot be reached or has no majority now: it may succeed later. */
public final class ClusterUnreachable extends StartFailure {
  private static final long serialVersionUID = 1;

  public ClusterUnreachable(String sentence) {
    super(sentence);
  }

  static ClusterUnreachable because(String reason) {
    return new ClusterUnreachable(
        "cluster.servers: the log of the cluster cannot be used: " + reason + ".");
  }
}
