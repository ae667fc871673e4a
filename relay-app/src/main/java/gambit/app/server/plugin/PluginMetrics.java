package gambit.app.server.plugin;

import gambit.app.server.plugin.PluginAnswer.Action;
import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.metrics.Metrics.Timer;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** The metrics of the write policy plugin. Thread-safe. */
final class PluginMetrics {
  private static final String CALLS = "plugin_calls";
  private static final String CALLS_HELP =
      "Events for the write policy plugin, by its decision; undecided: it has failed or was busy";

  private final Counter accepted;
  private final Counter rejected;
  private final Counter shadowRejected;
  private final Counter undecided;
  private final Timer time;
  private final Counter timeouts;
  private final Counter restarts;

  PluginMetrics(Metrics metrics, BooleanSupplier isRunning, IntSupplier waiting, IntSupplier sent) {
    accepted = metrics.counter(CALLS, CALLS_HELP, "decision", "accept");
    rejected = metrics.counter(CALLS, CALLS_HELP, "decision", "reject");
    shadowRejected = metrics.counter(CALLS, CALLS_HELP, "decision", "shadow_reject");
    undecided = metrics.counter(CALLS, CALLS_HELP, "decision", "undecided");
    time =
        metrics.timer(
            "plugin_seconds",
            "Time from sending an event to the write policy plugin to its answer");
    timeouts =
        metrics.counter(
            "plugin_timeouts",
            "Times that the write policy plugin was ended because it did not answer in time");
    restarts =
        metrics.counter("plugin_restarts", "Starts of the write policy plugin after the first one");
    metrics.gauge(
        "plugin_running",
        "Whether the write policy plugin runs: 1 or 0",
        () -> isRunning.getAsBoolean() ? 1 : 0);
    metrics.gauge(
        "plugin_waiting",
        "Events that wait for their turn to be sent to the write policy plugin",
        waiting::getAsInt);
    metrics.gauge(
        "plugin_sent", "Events that the write policy plugin has not answered", sent::getAsInt);
  }

  void decided(Action action, long sentAt) {
    Counter counter =
        switch (action) {
          case ACCEPT -> accepted;
          case REJECT -> rejected;
          case SHADOW_REJECT -> shadowRejected;
        };
    counter.increment();
    time.recordSince(sentAt);
  }

  void undecided() {
    undecided.increment();
  }

  void timedOut() {
    timeouts.increment();
  }

  void restarted() {
    restarts.increment();
  }
}
