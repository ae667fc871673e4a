package gambit.app.server.reload;

import gambit.app.common.CommandOutput;
import gambit.app.common.DataOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code gambit reload}: has the running relay read its configuration again, and prints what has
 * changed. Exit status 0: reloaded; 1: refused, and nothing has changed, or no relay answers.
 */
@Command(
    name = "reload",
    description = "Has the running relay read its configuration again, and prints what changed.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:reloaded; the output names the settings that changed, and those that need a restart",
      "1:the configuration was refused and nothing has changed, or no relay answers",
      "2:wrong usage"
    },
    footerHeading = "%nExample:%n",
    footer = "  gambit reload --data /var/lib/gambit")
public final class ReloadCommand implements Callable<Integer> {
  @Mixin private DataOption data = new DataOption();

  @Spec private CommandSpec spec;

  /** Called by picocli, which then sets the fields. */
  public ReloadCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    try {
      ControlRequest.Answer answer =
          ControlRequest.post(data.directory(), ControlFile.RELOAD_PATH, "");
      if (!answer.isSuccess()) {
        return CommandOutput.failed(spec, 1, answer.text());
      }
      CommandOutput.print(spec, answer.text());
      return 0;
    } catch (ControlRequest.Unanswered e) {
      return CommandOutput.failed(spec, 1, String.valueOf(e.getMessage()));
    }
  }
}
