package gambit.core.session;

import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.metrics.Metrics.Timer;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import gambit.core.wire.Reason.Prefix;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of clients' messages and queries. Thread-safe. */
public final class SessionMetrics {
  private final Map<Verb, Counter> messages = new EnumMap<>(Verb.class);
  private final Map<Prefix, Counter> refusals = new EnumMap<>(Prefix.class);
  private final Timer parse;
  final Timer query;
  final Timer page;
  final Timer syncAnswer;
  final AtomicInteger syncs = new AtomicInteger();

  public SessionMetrics(Metrics metrics) {
    parse =
        metrics.timer(
            "parse_seconds", "Time to parse a message of a client, once its last byte has arrived");
    query =
        metrics.timer(
            "query_seconds",
            "Time from a REQ to its EOSE in the client's queue, waiting for slow clients included");
    page = metrics.timer("query_page_seconds", "Time to read a page of a query from the store");
    syncAnswer =
        metrics.timer(
            "sync_answer_seconds",
            "Time from a NEG-OPEN or NEG-MSG to its answer, waiting for slow clients included");
    metrics.gauge("syncs", "Syncs of clients that are open (NIP-77)", syncs::get);
    for (Verb verb : EnumSet.complementOf(EnumSet.of(Verb.HTTP))) {
      String name = verb.name().toLowerCase(Locale.ROOT);
      messages.put(
          verb, metrics.counter("messages", "Messages received from clients", "verb", name));
    }
    for (Prefix why : Prefix.values()) {
      refusals.put(
          why,
          metrics.counter(
              "queries_refused",
              "Queries of clients that the relay has refused or ended, by the reason given",
              "reason",
              why.word()));
    }
  }

  void parsed(long startNanos) {
    parse.recordSince(startNanos);
  }

  void received(Verb verb) {
    Objects.requireNonNull(messages.get(verb)).increment();
  }

  void refused(Reason reason) {
    Objects.requireNonNull(refusals.get(reason.prefix())).increment();
  }
}
