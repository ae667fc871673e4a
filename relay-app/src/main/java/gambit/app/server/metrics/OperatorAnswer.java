package gambit.app.server.metrics;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The answer to a request at the operators' port. The body must not be modified. */
@SuppressWarnings("ArrayRecordComponent") // answers are not compared
public record OperatorAnswer(
    int status, String contentType, Map<String, String> headers, byte[] body) {

  public static OperatorAnswer text(int status, String text) {
    return text(status, Map.of(), text);
  }

  public static OperatorAnswer text(int status, Map<String, String> headers, String text) {
    return new OperatorAnswer(
        status, "text/plain; charset=utf-8", headers, text.getBytes(StandardCharsets.UTF_8));
  }
}
