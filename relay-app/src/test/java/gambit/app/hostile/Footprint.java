package gambit.app.hostile;

import gambit.app.Program;
import java.io.IOException;
import java.util.Map;

/** What a relay has in use that must not be more after an attack than before. */
record Footprint(
    double files,
    double threads,
    double connections,
    double requesting,
    double subscriptions,
    double eventsUnderWay,
    double outboxBytes) {

  static Footprint of(Program relay) throws IOException {
    Map<String, Double> metrics = relay.metrics();
    return new Footprint(
        metrics.get("process_files_open_files"),
        metrics.get("jvm_threads_live_threads"),
        metrics.get("gambit_connections"),
        metrics.get("gambit_requesting"),
        metrics.get("gambit_subscriptions"),
        metrics.get("gambit_events_under_way"),
        metrics.get("gambit_outbox_bytes"));
  }

  /** Whether the other one is nowhere above this one. */
  boolean covers(Footprint other) {
    return other.files <= files
        && other.threads <= threads
        && other.connections <= connections
        && other.requesting <= requesting
        && other.subscriptions <= subscriptions
        && other.eventsUnderWay <= eventsUnderWay
        && other.outboxBytes <= outboxBytes;
  }
}
