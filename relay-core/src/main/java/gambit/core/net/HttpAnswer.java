package gambit.core.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import gambit.core.feature.FileHandler.MadeFile;
import gambit.core.feature.PostHandler.PostAnswer;
import gambit.core.net.WebPage.ContentPolicy;
import gambit.core.net.WebPage.WebFile;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Date;
import java.util.regex.Pattern;

/**
 * The answer to an HTTP request, which every web page may read (CORS), and with the relay's time
 * (RFC 9110, 6.6.1), from which clients measure how wrong their clock is. Immutable.
 *
 * @param body the content of the answer to a GET; HEAD and status 304 have its length only
 */
record HttpAnswer(HttpResponseStatus status, HttpHeaders headers, ByteBuffer body) {
  static final String METHODS = "GET, HEAD, OPTIONS";

  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** {@code gzip} in a list of codings, unless its weight is zero (RFC 9110, 12.5.3). */
  private static final Pattern ACCEPTS_GZIP =
      Pattern.compile("(?i)(?:^|,)\\s*gzip\\s*(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))(?:[,;]|$)");

  private static final String KEEP = "public, max-age=31536000, immutable";
  private static final String ASK_AGAIN = "no-cache";

  /** The answer of a feature to a POST request; it is stored nowhere. */
  static HttpAnswer of(PostAnswer answer) {
    HttpHeaders headers =
        type("application/json").set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    answer.headers().forEach(headers::set);
    return new HttpAnswer(
        HttpResponseStatus.valueOf(answer.status()), headers, UTF_8.encode(answer.json()));
  }

  /** Permits pages of all origins to send POST requests with a login, which {@code *} would not. */
  static HttpHeaders permittingPosts(HttpHeaders headers) {
    return headers
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, METHODS + ", POST")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "*, Authorization, Content-Type");
  }

  static HttpAnswer of(HttpResponseStatus status) {
    return of(status, EmptyHttpHeaders.INSTANCE);
  }

  static HttpAnswer of(HttpResponseStatus status, HttpHeaders headers) {
    return new HttpAnswer(status, headers, NO_BODY);
  }

  /** Content of the relay's URL, not stored: a browser would show it in place of the page. */
  static HttpAnswer content(String type, String body) {
    HttpHeaders headers =
        type(type)
            .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT)
            .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    return new HttpAnswer(HttpResponseStatus.OK, headers, UTF_8.encode(body));
  }

  static HttpHeaders type(String type) {
    return new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, type);
  }

  /** A file; without content if the client has this version of it (RFC 9110, 13.1.2). */
  static HttpAnswer file(WebFile file, HttpRequest request) {
    ByteBuffer gzipped =
        request.headers().getAll(HttpHeaderNames.ACCEPT_ENCODING).stream()
                .anyMatch(accepted -> ACCEPTS_GZIP.matcher(accepted).find())
            ? file.gzipped()
            : null;
    boolean known =
        request.headers().getAll(HttpHeaderNames.IF_NONE_MATCH).stream()
            .anyMatch(tags -> tags.contains(file.tag()));
    HttpHeaders headers =
        type(file.type())
            .set(HttpHeaderNames.ETAG, "W/" + file.tag()) // weak: the same compressed or not
            .set(HttpHeaderNames.CACHE_CONTROL, file.isUnchanging() ? KEEP : ASK_AGAIN)
            .set(HttpHeaderNames.VARY, "Accept, Accept-Encoding")
            .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, file.policy().header())
            .set("X-Content-Type-Options", "nosniff")
            .set("Referrer-Policy", "no-referrer");
    if (file.policy() == ContentPolicy.ADMIN) { // whoever opens it gets no window to lead elsewhere
      headers.set("Cross-Origin-Opener-Policy", "same-origin");
    }
    if (gzipped != null) {
      headers.set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
    }
    return new HttpAnswer(
        known ? HttpResponseStatus.NOT_MODIFIED : HttpResponseStatus.OK,
        headers,
        gzipped != null ? gzipped : file.content());
  }

  /** A file that a feature has made, or its refusal, which is stored nowhere. */
  static HttpAnswer of(MadeFile made, HttpRequest request) {
    HttpAnswer answer = file(WebFile.of(made.type(), made.content(), null, false), request);
    if (made.status() == HttpResponseStatus.OK.code()) {
      return answer;
    }
    return new HttpAnswer(
        HttpResponseStatus.valueOf(made.status()),
        answer
            .headers()
            .remove(HttpHeaderNames.ETAG)
            .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE),
        ByteBuffer.wrap(made.content()));
  }

  FullHttpResponse response(HttpMethod method) {
    boolean withoutContent =
        method.equals(HttpMethod.HEAD) || status.equals(HttpResponseStatus.NOT_MODIFIED);
    ByteBuf content = withoutContent ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_LENGTH, body.remaining())
        .set(HttpHeaderNames.DATE, DateFormatter.format(Date.from(Instant.now())))
        .set(HttpHeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, HttpHeaderNames.DATE)
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
        .setAll(headers);
    return response;
  }
}
