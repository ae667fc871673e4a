package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.app.server.reload.ControlRequest;
import java.io.IOException;
import java.nio.file.Path;

/** Calls of a command to the running relay of a data directory. */
final class ManagementCall {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A call failed; the message is a sentence for the operator. */
  static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    Failed(String message) {
      super(message);
    }
  }

  private final Path directory;

  ManagementCall(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes a call, and returns its result.
   *
   * @param params texts, and numbers
   * @throws Failed when no relay runs, or it refuses the call
   */
  JsonNode call(String method, Object... params) throws Failed {
    ObjectNode call = JSON.createObjectNode().put("method", method);
    ArrayNode list = call.putArray("params");
    for (Object param : params) {
      list.addPOJO(param);
    }
    try {
      ControlRequest.Answer answer =
          ControlRequest.post(directory, ManagementChannel.PATH, call.toString());
      JsonNode json = read(answer.text());
      if (json.path("error").isTextual()) {
        throw new Failed(sentence(json.get("error").textValue()));
      } else if (!answer.isSuccess()) {
        throw new Failed(answer.text());
      }
      return json.path("result");
    } catch (ControlRequest.Unanswered e) {
      throw new Failed(String.valueOf(e.getMessage()));
    }
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
}
