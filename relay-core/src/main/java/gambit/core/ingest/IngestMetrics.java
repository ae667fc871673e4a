package gambit.core.ingest;

import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.wire.RelayMessage.Ok;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts clients' events by their answer: {@code accepted}, or the prefix of the reason that was
 * given. Thread-safe.
 */
final class IngestMetrics {
  private final Metrics metrics;
  private final ConcurrentHashMap<String, Counter> counters = new ConcurrentHashMap<>();

  IngestMetrics(Metrics metrics) {
    this.metrics = metrics;
  }

  /** Counts one answer. */
  void count(Ok ok) {
    String verdict = ok.reason().map(reason -> reason.prefix().word()).orElse("accepted");
    counters.computeIfAbsent(verdict, this::counter).increment();
  }

  private Counter counter(String verdict) {
    return metrics.counter(
        "events", "Events from clients by the verdict on them", "verdict", verdict);
  }
}
