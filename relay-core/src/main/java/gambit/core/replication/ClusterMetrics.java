package gambit.core.replication;

import gambit.core.metrics.Metrics;
import gambit.core.replication.LeaderWatch.TakeoverCause;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The metrics of a node of a cluster. Any thread. */
final class ClusterMetrics {
  private final Map<TakeoverCause, Metrics.Counter> takeovers = new EnumMap<>(TakeoverCause.class);
  final Metrics.Timer verdicts;

  ClusterMetrics(ClusterNode node, Metrics metrics) {
    NodeState state = node.state();
    metrics.gauge(
        "cluster_leads",
        "1 while this node of a cluster leads, else 0",
        () -> state.leads() ? 1 : 0);
    metrics.gauge("cluster_epoch", "Takeovers in the cluster's log", state::epoch);
    metrics.gauge(
        "cluster_applied", "Number of the newest entry that this node has applied", state::applied);
    metrics.gauge(
        "cluster_lag",
        "Entries that this node had not applied when it last asked for the end of the cluster's log",
        state::lag);
    metrics.gauge(
        "cluster_staleness_seconds",
        "How long ago this node is known to have had everything in the cluster's log",
        () -> state.staleness().toMillis() / 1000.0);
    metrics.gauge(
        "cluster_waiting",
        "Events and commits of this node that wait for the leader's decision",
        node::waiting);
    for (TakeoverCause cause : TakeoverCause.values()) {
      takeovers.put(
          cause,
          metrics.counter(
              "cluster_takeovers",
              "Takeovers by this node, by their cause: none (there was no leader), silence, absence,"
                  + " handover",
              "cause",
              cause.label));
    }
    verdicts =
        metrics.timer(
            "cluster_verdict_seconds",
            "Time from the arrival of an event at this node until the leader's verdict was applied");
  }

  void takenOver(TakeoverCause cause) {
    Objects.requireNonNull(takeovers.get(cause)).increment();
  }
}
