package gambit.core.session;

import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import gambit.core.wire.Reason.Prefix;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts the messages of clients, and the refusals of queries. Thread-safe. */
public final class SessionMetrics {
  private final Map<Verb, Counter> messages = new EnumMap<>(Verb.class);
  private final Map<Prefix, Counter> refusals = new EnumMap<>(Prefix.class);

  public SessionMetrics(Metrics metrics) {
    for (Verb verb : EnumSet.complementOf(EnumSet.of(Verb.HTTP))) {
      String name = verb.name().toLowerCase(Locale.ROOT);
      messages.put(verb, metrics.counter("messages", "Messages from clients", "verb", name));
    }
    for (Prefix why : Prefix.values()) {
      refusals.put(
          why,
          metrics.counter(
              "queries_refused",
              "Requests for events that were refused or ended",
              "reason",
              why.word()));
    }
  }

  void received(Verb verb) {
    Objects.requireNonNull(messages.get(verb)).increment();
  }

  void refused(Reason reason) {
    Objects.requireNonNull(refusals.get(reason.prefix())).increment();
  }
}
