package gambit.core.ingest;

import gambit.core.meter.Meters;
import gambit.core.meter.Meters.Counter;
import gambit.core.wire.RelayMessage.Ok;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts clients' events by their answer: {@code accepted}, or the prefix of the reason that was
 * given. Thread-safe.
 */
final class Verdicts {
  private final Meters meters;
  private final ConcurrentHashMap<String, Counter> counters = new ConcurrentHashMap<>();

  Verdicts(Meters meters) {
    this.meters = meters;
  }

  /** Counts one answer. */
  void count(Ok ok) {
    String verdict = ok.reason().map(reason -> reason.prefix().word()).orElse("accepted");
    counters.computeIfAbsent(verdict, this::counter).increment();
  }

  private Counter counter(String verdict) {
    return meters.counter(
        "events", "Events from clients by the verdict on them", "verdict", verdict);
  }
}
