package gambit.core.net;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The secret by which commands of the operator on this machine identify themselves, in the header
 * {@code Authorization: Bearer <token>} (RFC 6750) of the WebSocket's handshake and of requests to
 * the operators' port. Any other value of that header is ignored. Immutable.
 */
public final class OperatorToken {
  /** For a relay without such commands. */
  public static final OperatorToken NONE = new OperatorToken(null, false);

  /** With the value {@code verified}, the command has verified the signatures of its events. */
  static final String SIGNATURES_HEADER = "Gambit-Signatures";

  private static final String VERIFIED = "verified";
  private static final String BEARER = "bearer ";

  private final byte @Nullable [] token;
  private final boolean isRequired;

  private OperatorToken(@Nullable String token, boolean isRequired) {
    this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
    this.isRequired = isRequired;
  }

  /** The token of a relay that also has other clients. */
  public static OperatorToken of(String token) {
    return new OperatorToken(token, false);
  }

  /** The token without which no WebSocket is opened. */
  public static OperatorToken required(String token) {
    return new OperatorToken(token, true);
  }

  boolean isRequired() {
    return isRequired;
  }

  /** Takes a time that does not depend on how much of the token is right. */
  public boolean isIn(HttpHeaders headers) {
    String authorization = headers.get(HttpHeaderNames.AUTHORIZATION, "");
    if (token == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return false;
    }
    byte[] given =
        authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(given, token);
  }

  static boolean statesVerified(HttpHeaders headers) {
    return VERIFIED.equals(headers.get(SIGNATURES_HEADER));
  }
}
