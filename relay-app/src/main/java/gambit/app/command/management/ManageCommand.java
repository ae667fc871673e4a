package gambit.app.command.management;

import gambit.app.common.CommandFailure;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code gambit manage}: calls any method of NIP-86. */
@Command(
    name = "manage",
    description = {
      "Calls a method of NIP-86 in the running relay, and prints its result.",
      "'gambit manage supportedmethods' lists the methods."
    },
    footerHeading = "%nExample:%n",
    footer = {"  gambit manage changerelayname \"My relay\"", "  gambit manage listbannedevents"})
public final class ManageCommand extends ManagementCommand {
  private static final Set<String> WITH_NUMBERS = Set.of("allowkind", "disallowkind", "audit");

  @Parameters(index = "0", paramLabel = "METHOD", description = "The name of the method.")
  private String method = "";

  @Parameters(
      index = "1..*",
      paramLabel = "PARAM",
      description = "Its parameters; for allowkind, disallowkind and audit, digits are a number.")
  private List<String> params = List.of();

  @Override
  protected int run() throws CommandFailure {
    boolean takesNumbers = WITH_NUMBERS.contains(method);
    Object[] values =
        params.stream()
            .map(it -> takesNumbers && it.matches("[0-9]{1,9}") ? (Object) Integer.valueOf(it) : it)
            .toArray();
    printLine(call(method, values).toString());
    return 0;
  }
}
