package gambit.app.tool.sync;

import gambit.core.metrics.Metrics;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** What the mirrors count. Any thread. */
final class MirrorMetrics implements MoveCounts.MoveObserver {
  private final Metrics.Counter complete;
  private final Metrics.Counter interrupted;
  private final Metrics.Counter received;
  private final Metrics.Counter sent;
  private final Metrics.Counter refusedHere;
  private final Metrics.Counter refusedThere;

  MirrorMetrics(Metrics metrics, Supplier<List<Mirror>> mirrors) {
    String comparisons = "Comparisons with peers: complete, or interrupted by a failure";
    complete = metrics.counter("mirror_comparisons", comparisons, "result", "complete");
    interrupted = metrics.counter("mirror_comparisons", comparisons, "result", "interrupted");
    String events = "Events that were moved from or to peers, by the answer to them";
    received = metrics.counter("mirror_events", events, "direction", "down", "result", "stored");
    refusedHere =
        metrics.counter("mirror_events", events, "direction", "down", "result", "refused");
    sent = metrics.counter("mirror_events", events, "direction", "up", "result", "stored");
    refusedThere = metrics.counter("mirror_events", events, "direction", "up", "result", "refused");
    metrics.gauge("mirrors", "Relays in sync.peers", () -> mirrors.get().size());
    metrics.gauge(
        "mirrors_connected",
        "Relays in sync.peers with a connection",
        () -> mirrors.get().stream().filter(Mirror::isConnected).count());
    metrics.gauge(
        "mirror_lag_seconds",
        "The longest time since a complete comparison with a peer, or since the start",
        () -> lags(mirrors).max().orElse(0));
  }

  private static LongStream lags(Supplier<List<Mirror>> mirrors) {
    return mirrors.get().stream().mapToLong(Mirror::lagSeconds);
  }

  void completed() {
    complete.increment();
  }

  void failed() {
    interrupted.increment();
  }

  @Override
  public void moved(boolean isHere, boolean isStored) {
    if (isStored) {
      (isHere ? received : sent).increment();
    } else {
      (isHere ? refusedHere : refusedThere).increment();
    }
  }
}
