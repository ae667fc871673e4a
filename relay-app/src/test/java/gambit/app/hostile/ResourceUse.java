package gambit.app.hostile;

import gambit.app.GambitProcess;
import java.io.IOException;
import java.util.Map;

/** The resources of a relay that must not have grown after an attack. */
record ResourceUse(
    double files,
    double threads,
    double connections,
    double requesting,
    double subscriptions,
    double eventsUnderWay,
    double outboxBytes) {

  static ResourceUse of(GambitProcess relay) throws IOException {
    Map<String, Double> metrics = relay.metrics();
    return new ResourceUse(
        metrics.get("process_files_open_files"),
        metrics.get("jvm_threads_live_threads"),
        metrics.get("gambit_connections"),
        metrics.get("gambit_requesting"),
        metrics.get("gambit_subscriptions"),
        metrics.get("gambit_events_under_way"),
        metrics.get("gambit_outbox_bytes"));
  }

  /** Whether no value of the other use is greater. */
  boolean covers(ResourceUse other) {
    return other.files <= files
        && other.threads <= threads
        && other.connections <= connections
        && other.requesting <= requesting
        && other.subscriptions <= subscriptions
        && other.eventsUnderWay <= eventsUnderWay
        && other.outboxBytes <= outboxBytes;
  }
}
