package gambit.app.command.management;

import gambit.app.common.CommandOutput;
import gambit.app.common.DataOption;
import gambit.app.common.SafeText;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What the commands have in common. Exit status 0: done; 1: refused, or no relay answers. */
@Command(
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:the relay has refused it and nothing has changed, or no relay answers",
      "2:wrong usage"
    })
abstract class ManagementCommand implements Callable<Integer> {
  @Mixin private DataOption data = new DataOption();

  @Spec private CommandSpec spec;

  /** Called by picocli, which then sets the fields. */
  ManagementCommand() {
    spec = CommandSpec.create();
  }

  /** Does the command's work. */
  abstract void run(ManagementCall relay) throws ManagementCall.Failed;

  @Override
  public final Integer call() {
    try {
      run(new ManagementCall(data.directory()));
      return 0;
    } catch (ManagementCall.Failed e) {
      return CommandOutput.failed(spec, 1, String.valueOf(e.getMessage()));
    }
  }

  /** Prints a line; whatever controls a terminal in texts of admins is replaced. */
  final void print(String line) {
    CommandOutput.print(spec, SafeText.of(line, Integer.MAX_VALUE));
  }

  /** A time in seconds, for people. */
  static String time(long seconds) {
    return Instant.ofEpochSecond(seconds).toString();
  }
}
