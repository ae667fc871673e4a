package gambit.core.net;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of an HTTP request. Pure. */
final class Requests {

  /** The path and query of a request's target, also in absolute form (RFC 9112, 3.2). */
  private static final Pattern TARGET =
      Pattern.compile("(?:https?://[^/?#]+)?(/[^?#]*)?(?:\\?([^#]*))?", Pattern.CASE_INSENSITIVE);

  private Requests() {}

  /** The path of a request, or an empty string if it has none that is understood. */
  static String path(HttpRequest request) {
    if (request.uri().equals("/")) {
      return "/"; // nearly always
    }
    Matcher target = TARGET.matcher(request.uri());
    if (!target.matches() || request.uri().isEmpty() || request.uri().startsWith("?")) {
      return "";
    }
    return target.group(1) == null ? "/" : target.group(1);
  }

  /** The query of a request, or an empty string if it has none. */
  static String query(HttpRequest request) {
    Matcher target = TARGET.matcher(request.uri());
    return target.matches() && target.group(2) != null ? target.group(2) : "";
  }

  /** Whether a request reads the relay's URL itself, where WebSockets are opened. */
  static boolean isForRelay(HttpRequest request) {
    return path(request).equals("/") && isRead(request);
  }

  /** Whether the method is GET or HEAD. */
  static boolean isRead(HttpRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  /** HTTP/1.1 requires one Host header; earlier versions may omit it (RFC 9112, 3.2). */
  static boolean isToOneHost(HttpRequest request) {
    int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
    return hosts == 1 || (hosts == 0 && !request.protocolVersion().equals(HttpVersion.HTTP_1_1));
  }

  /** Whether the header {@code Accept} names the media type, whatever its weight is. */
  static boolean accepts(String type, HttpRequest request) {
    return request.headers().getAll(HttpHeaderNames.ACCEPT).stream()
        .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(type));
  }
}
