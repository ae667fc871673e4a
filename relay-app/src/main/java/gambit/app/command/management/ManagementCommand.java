package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import gambit.app.common.SafeText;
import gambit.app.server.reload.ControlFile;
import java.io.IOException;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that calls methods of NIP-86 in the running relay of a data directory. */
@Command(
    exitCodeList = {
      "0:done",
      "1:the relay has refused it and nothing has changed, or no relay answers",
      "2:wrong usage"
    })
abstract class ManagementCommand extends ConsoleCommand {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Mixin private DataOption data = new DataOption();

  /** Calls a method with texts and numbers; fails if no relay runs, or the relay refuses it. */
  final JsonNode call(String method, Object... params) throws CommandFailure {
    ObjectNode call = JSON.createObjectNode().put("method", method);
    ArrayNode list = call.putArray("params");
    for (Object param : params) {
      list.addPOJO(param);
    }
    ControlFile.Answer answer =
        ControlFile.ofRunning(data.directory()).post(ManagementChannel.PATH, call.toString());
    JsonNode json = read(answer.text());
    if (json.path("error").isTextual()) {
      throw new CommandFailure(sentence(json.get("error").textValue()));
    } else if (!answer.isSuccess()) {
      throw new CommandFailure(answer.text());
    }
    return json.path("result");
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      return JSON.missingNode();
    }
  }

  private static String sentence(String error) {
    String upper = Character.toUpperCase(error.charAt(0)) + error.substring(1);
    return upper.endsWith(".") ? upper : upper + ".";
  }

  /** Prints a line; whatever controls a terminal in texts of admins is replaced. */
  final void printLine(String line) {
    print(SafeText.of(line, Integer.MAX_VALUE));
  }

  static String time(long seconds) {
    return Instant.ofEpochSecond(seconds).toString();
  }

  static String afterColon(JsonNode reason) {
    return reason.asText().isEmpty() ? "" : ": " + reason.asText();
  }
}
