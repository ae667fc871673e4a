package gambit.app.server.metrics;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;

/**
 * A complete request at the operators' port.
 *
 * @param path without the query
 * @param headers by their names in lower case; several of one name are joined with a comma
 * @param body as UTF-8, at most {@value OperatorConnection#MAX_BODY_BYTES} bytes
 */
public record OperatorRequest(
    String method, String path, Map<String, String> headers, String body) {
  private static final String BEARER = "bearer ";

  /** The value of a header, whose name is in lower case; empty if it is absent. */
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /**
   * Whether the request has the bearer token (RFC 6750). The time that this takes does not depend
   * on how much of the token is right.
   */
  public boolean hasBearerToken(String token) {
    String authorization = header("authorization");
    if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return false;
    }
    byte[] given =
        authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(given, token.getBytes(StandardCharsets.UTF_8));
  }
}
