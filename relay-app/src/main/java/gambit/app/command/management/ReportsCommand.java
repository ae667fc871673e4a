package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.common.CommandFailure;
import picocli.CommandLine.Command;

/** {@code gambit reports}: lists the reported authors and events on which nobody has decided. */
@Command(
    name = "reports",
    description = {
      "Lists the reported authors and events (NIP-56) on which nobody has decided, those with the most"
          + " reporters first.",
      "'gambit ban' and 'gambit allow' decide, and take them from the list."
    },
    footerHeading = "%nExample:%n",
    footer = {"  gambit reports --data /var/lib/gambit"})
public final class ReportsCommand extends ManagementCommand {

  @Override
  protected int run() throws CommandFailure {
    JsonNode queue = call("reports");
    if (queue.isEmpty()) {
      printLine("No reports.");
    }
    for (JsonNode reported : queue) {
      printLine(
          "%s  %s  (last %s)"
              .formatted(
                  reported.path("subject").asText(),
                  reported.path("summary").asText(),
                  time(reported.path("newest").asLong())));
      reported.path("reporters").forEach(reporter -> printLine("  by " + reporter.asText()));
    }
    return 0;
  }
}
