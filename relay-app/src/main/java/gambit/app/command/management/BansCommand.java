package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code gambit bans}: lists the decisions in force. */
@Command(
    name = "bans",
    description = {"Lists the decisions in force, with what replaces settings."},
    footerHeading = "%nExample:%n",
    footer = {"  gambit bans --data /var/lib/gambit"})
public final class BansCommand extends ManagementCommand {

  /** Called by picocli, which then sets the fields. */
  public BansCommand() {}

  @Override
  void run(ManagementCall relay) throws ManagementCall.Failed {
    JsonNode result = relay.call("decisions");
    if (result.path("decisions").isEmpty()) {
      print("No decisions.");
    }
    for (JsonNode decision : result.path("decisions")) {
      String reason = decision.path("reason").asText();
      print(
          "%-8s%s  %s  by %s%s"
              .formatted(
                  decision.path("verdict").asText(),
                  decision.path("subject").asText(),
                  time(decision.path("at").asLong()),
                  decision.path("by").asText(),
                  reason.isEmpty() ? "" : ": " + reason));
    }
    for (Map.Entry<String, JsonNode> text : result.path("texts").properties()) {
      print("relay." + text.getKey() + " is replaced by: " + text.getValue().asText());
    }
    for (Map.Entry<String, JsonNode> list : result.path("settings").properties()) {
      String value = list.getValue().asText();
      if (!value.isEmpty() && !value.equals("0")) {
        String unit = list.getValue().isInt() ? " keys" : "";
        print("The settings have admission." + list.getKey() + ": " + value + unit);
      }
    }
  }
}
