package gambit.app.server.reload;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gambit reload}. */
@Command(
    name = "reload",
    description = "Has the running relay read its configuration again, and prints what changed.",
    exitCodeList = {
      "0:reloaded; the output names the settings that changed, and those that need a restart",
      "1:the configuration was refused and nothing has changed, or no relay answers"
    },
    footer = "  gambit reload --data /var/lib/gambit")
public final class ReloadCommand extends ConsoleCommand {
  @Mixin private DataOption data = new DataOption();

  @Override
  protected int run() throws CommandFailure {
    ControlFile control = ControlFile.ofRunning(data.directory());
    print(control.post(ControlFile.RELOAD_PATH, "").success());
    return 0;
  }
}
