package gambit.app.server.plugin;

import gambit.chess.dialect.JesterMessage;
import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the write policy plugin about events of clients. Events that the referee handles are exempt
 * unless {@link PluginSettings#chess} is set, because a move must not wait for a slow plugin;
 * events of trusted authors always are. Any thread.
 */
public final class WritePolicyPlugin implements Feature, AsyncEventGate, AutoCloseable {
  private volatile PluginSettings settings;
  private @Nullable PluginRunner runner; // from the installation on

  public WritePolicyPlugin(PluginSettings settings) {
    this.settings = settings;
  }

  @Override
  public void install(RelayBuilder relay) {
    relay.asyncGate(this);
    relay.information(
        document -> {
          if (settings.isOn()) {
            document.limitation("restricted_writes", true);
          }
        });
    PluginRunner started = new PluginRunner(settings, relay.metrics());
    runner = started;
    started.start();
  }

  private PluginRunner runner() {
    return Objects.requireNonNull(runner, "not installed");
  }

  /**
   * Takes new settings for the next event. Another command replaces the running plugin, once it has
   * answered what it was asked.
   */
  public void change(PluginSettings changed) {
    settings = changed;
    runner().change(changed);
  }

  public PluginSettings settings() {
    return settings;
  }

  @Override
  public boolean concerns(Submission submission, boolean isClaimed) {
    PluginSettings current = settings;
    // kind 30 has content of any length, and nobody waits for its clock
    boolean isExempt = isClaimed && submission.event().kind() != JesterMessage.KIND;
    return current.isOn() && (current.chess() || !isExempt);
  }

  @Override
  public void check(Submission submission, Consumer<Verdict> verdict) {
    runner().ask(new PluginRequest(submission, verdict, System.nanoTime()));
  }

  @Override
  public void close() {
    if (runner != null) {
      runner.close();
    }
  }
}
