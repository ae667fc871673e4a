package gambit.app.server.metrics;

import gambit.core.net.OperatorToken;
import io.netty.handler.codec.http.HttpHeaders;

/** A complete request at the operators' port; the path is without the query. */
public record OperatorRequest(String method, String path, HttpHeaders headers, String body) {
  public String header(String name) {
    return String.join(", ", headers.getAll(name));
  }

  public boolean hasBearerToken(String token) {
    return OperatorToken.of(token).isIn(headers);
  }
}
