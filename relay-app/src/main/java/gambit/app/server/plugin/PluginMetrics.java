package gambit.app.server.plugin;

import gambit.app.server.plugin.PluginAnswer.Action;
import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.metrics.Metrics.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** The metrics of the write policy plugin. Thread-safe. */
final class PluginMetrics {
  private final Map<Action, Counter> decided = new EnumMap<>(Action.class);
  private final Timer time;
  final Counter undecided;
  final Counter timeouts;
  final Counter restarts;

  PluginMetrics(Metrics metrics, BooleanSupplier isRunning, IntSupplier waiting, IntSupplier sent) {
    for (Action action : Action.values()) {
      decided.put(action, calls(metrics, action.name().toLowerCase(Locale.ROOT)));
    }
    undecided = calls(metrics, "undecided");
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

  private static Counter calls(Metrics metrics, String decision) {
    return metrics.counter(
        "plugin_calls",
        "Events for the write policy plugin, by its decision; undecided: it has failed or was busy",
        "decision",
        decision);
  }

  void decided(Action action, long sentAt) {
    Objects.requireNonNull(decided.get(action)).increment();
    time.recordSince(sentAt);
  }
}
