package gambit.core.ingest;

import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.metrics.Metrics.Timer;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.wire.Reason.Prefix;
import gambit.core.wire.RelayMessage.Ok;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The metrics of clients' events: how many are under way, how they were answered ({@code accepted},
 * or the prefix of the reason), the accepted ones by their kinds' class, and the time that
 * verification takes. Thread-safe.
 */
final class IngestMetrics {
  private static final String ACCEPTED = "accepted";

  private final Map<String, Counter> byVerdict = new HashMap<>();
  private final Map<KindClass, Counter> accepted = new EnumMap<>(KindClass.class);
  final Timer verify;

  /** The classes of kinds (NIP-01), by what is stored of them. */
  private enum KindClass {
    REGULAR,
    REPLACEABLE,
    EPHEMERAL,
    ADDRESSABLE;

    static KindClass of(int kind) {
      if (Kind.isEphemeral(kind)) {
        return EPHEMERAL;
      } else if (Kind.isReplaceable(kind)) {
        return REPLACEABLE;
      }
      return Kind.isAddressable(kind) ? ADDRESSABLE : REGULAR;
    }
  }

  IngestMetrics(Metrics metrics, EventsUnderWay underWay) {
    byVerdict.put(ACCEPTED, counter(metrics, ACCEPTED));
    for (Prefix prefix : Prefix.values()) {
      byVerdict.put(prefix.word(), counter(metrics, prefix.word()));
    }
    metrics.gauge(
        "events_under_way",
        "Events of clients that were received and are not answered yet",
        underWay::count);
    verify =
        metrics.timer(
            "verify_seconds",
            "Time to hash an event and verify its signature; known events are not verified");
    for (KindClass each : KindClass.values()) {
      accepted.put(
          each,
          metrics.counter(
              "accepted_events",
              "Events of clients that were accepted, without duplicates, by the class of their"
                  + " kind",
              "class",
              each.name().toLowerCase(Locale.ROOT)));
    }
  }

  void answered(Event event, Ok ok) {
    if (ok.accepted() && ok.reason().isEmpty()) {
      Objects.requireNonNull(accepted.get(KindClass.of(event.kind()))).increment();
    }
    answered(ok);
  }

  void answered(Ok ok) {
    String verdict = ok.reason().map(reason -> reason.prefix().word()).orElse(ACCEPTED);
    Objects.requireNonNull(byVerdict.get(verdict)).increment();
  }

  private static Counter counter(Metrics metrics, String verdict) {
    return metrics.counter(
        "events",
        "Events of clients, by the answer: accepted, or the prefix of the reason",
        "verdict",
        verdict);
  }
}
