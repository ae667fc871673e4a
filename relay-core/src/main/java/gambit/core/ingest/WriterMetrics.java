package gambit.core.ingest;

import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.metrics.Metrics.Timer;

/** The times of the writer's stages, and its failures. Thread-safe. */
final class WriterMetrics {
  final Timer wait;
  final Timer commit;
  final Timer sync;
  final Timer fanOut;
  final Counter failedCommits;

  WriterMetrics(Metrics metrics) {
    wait =
        metrics.timer(
            "writer_wait_seconds",
            "Time that an event, or a step of a game, waits until the writer begins its commit");
    commit =
        metrics.timer(
            "commit_seconds",
            "Time to decide and commit a group of events to disk, the sync of the disk included");
    sync =
        metrics.timer(
            "commit_sync_seconds",
            "The part of a commit's time that waits for the sync of the disk (fdatasync)");
    fanOut =
        metrics.timer(
            "fan_out_seconds",
            "Time from a commit until its answers and events are in the queues of all clients");
    failedCommits =
        metrics.counter(
            "failed_commits", "Commits that failed; their events are answered with error:");
  }
}
