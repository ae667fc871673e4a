package gambit.core.ingest;

import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.wire.RelayMessage.Ok;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The metrics of clients' events: how many are under way, and how they were answered ({@code
 * accepted}, or the prefix of the reason). Thread-safe.
 */
final class IngestMetrics {
  private final Metrics metrics;
  private final ConcurrentHashMap<String, Counter> byVerdict = new ConcurrentHashMap<>();

  IngestMetrics(Metrics metrics, EventsUnderWay underWay) {
    this.metrics = metrics;
    metrics.gauge("events_under_way", "Events between frame and answer", underWay::count);
  }

  /** Counts one answer. */
  void answered(Ok ok) {
    String verdict = ok.reason().map(reason -> reason.prefix().word()).orElse("accepted");
    byVerdict.computeIfAbsent(verdict, this::counter).increment();
  }

  private Counter counter(String verdict) {
    return metrics.counter(
        "events", "Events from clients by the verdict on them", "verdict", verdict);
  }
}
