package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.common.CommandFailure;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code gambit bans}: lists the decisions in force. */
@Command(
    name = "bans",
    description = {"Lists the decisions in force, with what replaces settings."},
    footerHeading = "%nExample:%n",
    footer = {"  gambit bans --data /var/lib/gambit"})
public final class BansCommand extends ManagementCommand {

  @Override
  protected int run() throws CommandFailure {
    JsonNode result = call("decisions");
    if (result.path("decisions").isEmpty()) {
      printLine("No decisions.");
    }
    for (JsonNode decision : result.path("decisions")) {
      printLine(
          "%-8s%s  %s  by %s%s"
              .formatted(
                  decision.path("verdict").asText(),
                  decision.path("subject").asText(),
                  time(decision.path("at").asLong()),
                  decision.path("by").asText(),
                  afterColon(decision.path("reason"))));
    }
    for (Map.Entry<String, JsonNode> text : result.path("texts").properties()) {
      printLine("relay." + text.getKey() + " is replaced by: " + text.getValue().asText());
    }
    for (Map.Entry<String, JsonNode> list : result.path("settings").properties()) {
      String value = list.getValue().asText();
      if (!value.isEmpty() && !value.equals("0")) {
        String unit = list.getValue().isInt() ? " keys" : "";
        printLine("The settings have admission." + list.getKey() + ": " + value + unit);
      }
    }
    return 0;
  }
}
