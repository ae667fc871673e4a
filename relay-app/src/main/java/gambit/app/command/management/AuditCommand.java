package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.common.CommandFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gambit audit}: lists what was changed, by whom and when. */
@Command(
    name = "audit",
    description = {"Lists the changes that admins and commands have made, the newest first."},
    footerHeading = "%nExample:%n",
    footer = {"  gambit audit --max 20"})
public final class AuditCommand extends ManagementCommand {
  @Option(
      names = "--max",
      paramLabel = "NUMBER",
      defaultValue = "100",
      description = "The most changes to list (default: 100; the relay keeps 10000).")
  private int max;

  @Override
  protected int run() throws CommandFailure {
    JsonNode log = call("audit", max);
    if (log.isEmpty()) {
      printLine("No changes.");
    }
    for (JsonNode entry : log) {
      printLine(
          "%d  %s  %s  %s  %s%s"
              .formatted(
                  entry.path("number").asLong(),
                  time(entry.path("at").asLong()),
                  entry.path("by").asText(),
                  entry.path("action").asText(),
                  entry.path("target").asText(),
                  afterColon(entry.path("reason"))));
    }
    return 0;
  }
}
