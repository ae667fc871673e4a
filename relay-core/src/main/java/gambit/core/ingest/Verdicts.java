package gambit.core.ingest;

import gambit.core.meter.Meters;
import gambit.core.wire.RelayMessage.Ok;

/**
 * Counts clients' events by their answer: {@code accepted}, or the prefix of the reason that was
 * given. Thread-safe.
 */
public final class Verdicts {
  private final Meters meters;

  public Verdicts(Meters meters) {
    this.meters = meters;
  }

  /** Counts one answer. */
  public void count(Ok ok) {
    int colon = ok.text().indexOf(':');
    String verdict = colon < 0 ? "accepted" : ok.text().substring(0, colon);
    meters
        .counter("events", "Events from clients by the verdict on them", "verdict", verdict)
        .increment();
  }
}
