package gambit.app.server.metrics;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The answer to a request at the operators' port. Immutable; the body must not be modified. */
public final class OperatorAnswer {
  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  private OperatorAnswer(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = Map.copyOf(headers);
    this.body = body;
  }

  /** An answer in plain text. */
  public static OperatorAnswer text(int status, String text) {
    return text(status, Map.of(), text);
  }

  /** An answer in plain text with further headers. */
  public static OperatorAnswer text(int status, Map<String, String> headers, String text) {
    return of(status, "text/plain; charset=utf-8", headers, text.getBytes(StandardCharsets.UTF_8));
  }

  /** An answer of any content type. */
  static OperatorAnswer of(
      int status, String contentType, Map<String, String> headers, byte[] body) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put("Content-Type", contentType);
    return new OperatorAnswer(status, all, body);
  }

  /** The status code of HTTP. */
  public int status() {
    return status;
  }

  Map<String, String> headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }
}
