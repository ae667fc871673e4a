package gambit.app.server.plugin;

import gambit.app.server.plugin.PluginSettings.OnFailure;
import gambit.core.feature.AsyncEventGate.Accepted;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.wire.Reason;

/** The verdicts on events that the plugin does not decide on. */
final class UndecidedVerdicts {
  private static final Verdict ACCEPTED = new Accepted();
  private static final Verdict FAILED =
      new Refused(Reason.error("the relay's policy plugin does not work, try again later"));
  private static final Verdict BUSY =
      new Refused(Reason.error("the relay's policy plugin is busy, try again later"));

  private UndecidedVerdicts() {}

  /** The verdict while the plugin does not work. */
  static Verdict failed(PluginSettings settings) {
    return isAccepted(settings) ? ACCEPTED : FAILED;
  }

  /** The verdict on an event for which the plugin has no time. */
  static Verdict busy(PluginSettings settings) {
    return isAccepted(settings) ? ACCEPTED : BUSY;
  }

  /** Without a plugin, every event is accepted. */
  private static boolean isAccepted(PluginSettings settings) {
    return !settings.isOn() || settings.onFailure() == OnFailure.OPEN;
  }
}
