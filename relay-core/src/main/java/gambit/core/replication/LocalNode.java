package gambit.core.replication;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.log.LimitedLog;
import gambit.core.model.EventId;
import gambit.core.replication.LeaderLink.ForwardedCommit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clients and features of this node, as the output of the leader names them: by the numbers of
 * their connections and requests. The writer's thread only.
 */
final class LocalNode implements LocalClients {
  private static final LimitedLog LOG = LimitedLog.of(LocalNode.class);

  private final long number;
  private final LeaderLink link;
  private final Signer signer;
  private @Nullable ClusterMetrics metrics;
  private InstantSource time = InstantSource.system();
  private List<Outgoing> output = new ArrayList<>(0);
  private List<Runnable> settled = new ArrayList<>(0);

  LocalNode(long number, LeaderLink link, Signer signer) {
    this.number = number;
    this.link = link;
    this.signer = signer;
  }

  /** Measures verdicts from now on. */
  void measure(ClusterMetrics registered, InstantSource clock) {
    metrics = registered;
    time = clock;
  }

  @Override
  public long node() {
    return number;
  }

  @Override
  public @Nullable ClientConnection connection(long number) {
    return link.connection(number);
  }

  @Override
  public @Nullable Submission answered(long connection, EventId id) {
    Submission answered = link.answered(connection, id);
    if (answered != null && metrics != null) {
      metrics.decided(Duration.between(answered.arrivedAt(), time.instant()));
    }
    return answered;
  }

  @Override
  public void report(long number, boolean isSent) {
    link.report(number, isSent);
  }

  @Override
  public @Nullable ClientConnection receiver(long number) {
    return link.receiver(number);
  }

  @Override
  public void settled(long request, WriteOutcome outcome) {
    ForwardedCommit commit = link.settled(request);
    if (commit != null) {
      settle(commit, outcome);
    }
  }

  /** The outcome of a commit of this node's features is known. */
  void settle(ForwardedCommit commit, WriteOutcome outcome) {
    try {
      output.addAll(commit.outcome().apply(outcome));
    } catch (RuntimeException e) {
      LOG.error("The output of a request failed; this is a bug", e);
    }
    settled.add(() -> commit.settled().accept(outcome));
  }

  /** The output of the commits that were settled since the last call. */
  List<Outgoing> takeOutput() {
    List<Outgoing> taken = output;
    output = new ArrayList<>(0);
    return taken;
  }

  /** Tells the features of the commits that were settled, whose output has been released. */
  void tellSettled() {
    List<Runnable> taken = settled;
    settled = new ArrayList<>(0);
    for (Runnable each : taken) {
      try {
        each.run();
      } catch (RuntimeException e) {
        LOG.error("A request could not be settled; this is a bug", e);
      }
    }
  }

  @Override
  public void statesArrived() {
    link.statesArrived();
  }

  @Override
  public Signer signer() {
    return signer;
  }
}
