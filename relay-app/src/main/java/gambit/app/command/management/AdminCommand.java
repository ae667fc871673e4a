package gambit.app.command.management;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import gambit.app.server.reload.ControlFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gambit admin}: makes somebody an admin of a running relay. */
@Command(
    name = "admin",
    description = "Makes somebody an admin of a running relay.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "link",
    subcommands = AdminCommand.PrintLink.class,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:no relay answers, or it has no admin page"},
    footer = "  sudo -u gambit gambit admin link --data /var/lib/gambit")
public final class AdminCommand {
  @Command(
      name = "link",
      description = {
        "Prints a link to the admin page. Whoever opens it first and signs in is an admin; after"
            + " that, and after an hour, it is void."
      },
      exitCodeList = {"0:done", "1:no relay answers, or it has no admin page"},
      footer = "  sudo -u gambit gambit admin link --data /var/lib/gambit")
  static final class PrintLink extends ConsoleCommand {
    @Mixin private DataOption data = new DataOption();

    @Override
    protected int run() throws CommandFailure {
      ControlFile control = ControlFile.ofRunning(data.directory());
      print(control.post(ManagementChannel.LINK_PATH, "").success());
      return 0;
    }
  }
}
