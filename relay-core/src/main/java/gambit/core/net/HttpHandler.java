package gambit.core.net;

import gambit.core.feature.FileHandler;
import gambit.core.feature.PostHandler;
import gambit.core.limit.Limit;
import gambit.core.net.EventLoops.FatalErrors;
import gambit.core.net.WebPage.WebFile;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.session.Peer;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP at the relay's port: a request for {@code /} is upgraded to a WebSocket ({@link
 * WebSocketHandshake}), or answered with the relay information document (NIP-11) or the web page;
 * other paths are files of the page, or made by a feature ({@link FileHandler}), or 404. A body is
 * dropped, unless a feature answers it ({@link PostHandler}). On the channel's event loop.
 */
final class HttpHandler extends HttpExchange {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final String NOSTR_JSON = "application/nostr+json";
  private static final String HTML = "text/html";
  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final String PLAIN_TEXT = "text/plain; charset=utf-8";
  private static final HttpHeaders ALLOWED_METHODS =
      new DefaultHttpHeaders().set(HttpHeaderNames.ALLOW, HttpAnswer.METHODS);

  /** When a client that was refused for lack of room may try again. */
  private static final int RETRY_SECONDS = 30;

  /** When a client that was refused for lack of the cluster may try again, here or elsewhere. */
  private static final int CUT_OFF_RETRY_SECONDS = 2;

  /** The time within which a client must take an answer, also over a slow line. */
  private static final int ANSWER_SECONDS = 120;

  private static final String TLS_IS_NEEDED =
      "This port speaks TLS: use wss:// or https:// in the URL.\n";

  /** The path and query of a request's target, also in absolute form (RFC 9112, 3.2). */
  private static final Pattern TARGET =
      Pattern.compile("(?:https?://[^/?#]+)?(/[^?#]*)?(?:\\?([^#]*))?", Pattern.CASE_INSENSITIVE);

  private final Endpoint endpoint;

  HttpHandler(Endpoint endpoint) {
    super(ANSWER_SECONDS);
    this.endpoint = endpoint;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    requireRequest(ctx, requestSeconds());
  }

  private int requestSeconds() {
    return endpoint.limits().get(Limit.HANDSHAKE_SECONDS);
  }

  @Override
  protected void awaitNext(ChannelHandlerContext ctx) {
    awaitRequest(ctx, requestSeconds());
  }

  /** Answers a plain request to a port of TLS before it is read; its bytes are dropped. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == TlsHandshakes.PLAIN_HTTP) {
      HttpAnswer answer =
          new HttpAnswer(
              HttpResponseStatus.BAD_REQUEST,
              HttpAnswer.type(PLAIN_TEXT),
              StandardCharsets.US_ASCII.encode(TLS_IS_NEEDED));
      write(ctx, answer.response(HttpMethod.GET), false);
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  private ClientAddress address(ChannelHandlerContext ctx, HttpRequest request) {
    TrustedProxies proxies = endpoint.settingsNow().transport().proxies();
    return ClientAddress.of(
        proxies.client(
            TrustedProxies.source(ctx.channel()), request.headers().getAll(FORWARDED_FOR)));
  }

  private boolean isRefused(Peer client) {
    return !client.isOperator() && endpoint.extensions().refusedAddresses().test(client.address());
  }

  @Override
  protected void answer(ChannelHandlerContext ctx, HttpRequest request, byte[] body) {
    Peer client = endpoint.peer(address(ctx, request), request);
    long wait =
        client.isOperator() ? 0 : endpoint.rates().secondsToWait(Verb.HTTP, client.address());
    Optional<PostHandler> post =
        path(request).equals("/") ? endpoint.extensions().handler(request) : Optional.empty();
    if (wait > 0) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.TOO_MANY_REQUESTS, retryAfter(wait)));
    } else if (isRefused(client)) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.FORBIDDEN));
    } else if (!isToOneHost(request)) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.BAD_REQUEST));
    } else if (path(request).equals("/")
        && isRead(request)
        && WebSocketHandshake.isRequestedBy(request)) {
      upgrade(ctx, request, client);
    } else if (post.isPresent()) {
      answerPost(ctx, request, body, client, post.get());
    } else if (isRead(request) && fileHandler(request).isPresent()) {
      awaitAnswer(ctx);
      fileHandler(request)
          .get()
          .handle(
              new FileHandler.FileRequest(path(request), query(request)),
              made ->
                  ctx.executor()
                      .execute(() -> writeLater(ctx, request, HttpAnswer.of(made, request))));
    } else {
      answer(ctx, request, answer(request));
    }
  }

  /** What makes the file that is asked for; nothing without a page, to which such files lead. */
  private Optional<FileHandler> fileHandler(HttpRequest request) {
    return endpoint.settingsNow().page().index().isEmpty()
        ? Optional.empty()
        : endpoint.extensions().fileHandler(path(request));
  }

  private void answerPost(
      ChannelHandlerContext ctx,
      HttpRequest request,
      byte[] body,
      Peer client,
      PostHandler handler) {
    awaitAnswer(ctx);
    handler.handle(
        new PostHandler.PostRequest(
            client.address(),
            query(request),
            request.headers().getAll(HttpHeaderNames.AUTHORIZATION),
            body),
        answer -> ctx.executor().execute(() -> writePost(ctx, request, HttpAnswer.of(answer))));
  }

  private void writePost(ChannelHandlerContext ctx, HttpRequest request, HttpAnswer answer) {
    HttpAnswer.permittingPosts(answer.headers());
    writeLater(ctx, request, answer);
  }

  private void writeLater(ChannelHandlerContext ctx, HttpRequest request, HttpAnswer answer) {
    if (!ctx.isRemoved()) {
      write(ctx, answer.response(request.method()), HttpUtil.isKeepAlive(request));
    }
  }

  private HttpAnswer answer(HttpRequest request) {
    String path = path(request);
    Optional<WebFile> file = endpoint.settingsNow().page().file(path);
    if (!path.equals("/") && file.isEmpty() && fileHandler(request).isEmpty()) {
      return HttpAnswer.of(HttpResponseStatus.NOT_FOUND);
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      HttpHeaders headers = HttpAnswer.type(NOSTR_JSON);
      return HttpAnswer.of(
          HttpResponseStatus.NO_CONTENT,
          endpoint.extensions().answerPosts() && path.equals("/")
              ? HttpAnswer.permittingPosts(headers)
              : headers);
    } else if (!isRead(request)) {
      return HttpAnswer.of(HttpResponseStatus.METHOD_NOT_ALLOWED, ALLOWED_METHODS);
    } else if (file.isPresent()) {
      return HttpAnswer.file(file.get(), request);
    } else if (accepts(NOSTR_JSON, request)) {
      return HttpAnswer.content(NOSTR_JSON, endpoint.settingsNow().information());
    }
    return endpoint
        .settingsNow()
        .page()
        .index()
        .filter(index -> accepts(HTML, request))
        .map(index -> HttpAnswer.file(index, request))
        .orElseGet(() -> HttpAnswer.content(PLAIN_TEXT, endpoint.settingsNow().page().hint()));
  }

  private void upgrade(ChannelHandlerContext ctx, HttpRequest request, Peer client) {
    WebSocketHandshake.objection(request)
        .or(() -> admit(ctx, client))
        .ifPresentOrElse(
            refusal -> answer(ctx, request, refusal),
            () -> WebSocketHandshake.complete(ctx, this, endpoint, request.headers(), client));
  }

  /** Admits a client to a WebSocket, or returns the answer with which it is refused. */
  private Optional<HttpAnswer> admit(ChannelHandlerContext ctx, Peer client) {
    boolean isClosed =
        endpoint.lifecycle().ending().get()
            || (endpoint.operator().isRequired() && !client.isOperator());
    if (endpoint.extensions().areCutOff() && !client.isOperator()) {
      return Optional.of(
          HttpAnswer.of(HttpResponseStatus.SERVICE_UNAVAILABLE, retryAfter(CUT_OFF_RETRY_SECONDS)));
    } else if (isClosed) {
      return Optional.of(HttpAnswer.of(HttpResponseStatus.SERVICE_UNAVAILABLE));
    }
    return endpoint
        .clients()
        .admit(ctx.channel(), client)
        .map(status -> HttpAnswer.of(status, retryAfter(RETRY_SECONDS)));
  }

  private static HttpHeaders retryAfter(long seconds) {
    return new DefaultHttpHeaders().set(HttpHeaderNames.RETRY_AFTER, seconds);
  }

  private void answer(ChannelHandlerContext ctx, HttpRequest request, HttpAnswer answer) {
    boolean keep =
        HttpUtil.isKeepAlive(request)
            && ctx.channel().isWritable(); // a client that does not read its answers is closed
    write(ctx, answer.response(request.method()), keep);
  }

  @Override
  protected void refuse(ChannelHandlerContext ctx, HttpResponseStatus status) {
    write(ctx, HttpAnswer.of(status).response(HttpMethod.GET), false);
  }

  @Override
  protected void write(ChannelHandlerContext ctx, FullHttpResponse response, boolean keep) {
    endpoint.metrics().answered(response.status());
    super.write(ctx, response, keep);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (FatalErrors.fatalIn(cause) != null) {
      endpoint.lifecycle().onDeath().accept(cause);
    } else if (!(cause instanceof IOException)) {
      LOG.debug("A request failed", cause);
    }
    ctx.close();
  }

  /** The path of a request, or an empty string if it has none that is understood. */
  private static String path(HttpRequest request) {
    if (request.uri().equals("/")) {
      return "/"; // nearly always
    }
    Matcher target = TARGET.matcher(request.uri());
    if (!target.matches() || request.uri().isEmpty() || request.uri().startsWith("?")) {
      return "";
    }
    return target.group(1) == null ? "/" : target.group(1);
  }

  private static String query(HttpRequest request) {
    Matcher target = TARGET.matcher(request.uri());
    return target.matches() && target.group(2) != null ? target.group(2) : "";
  }

  private static boolean isRead(HttpRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  /** HTTP/1.1 requires one Host header; earlier versions may omit it (RFC 9112, 3.2). */
  private static boolean isToOneHost(HttpRequest request) {
    int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
    return hosts == 1 || (hosts == 0 && !request.protocolVersion().equals(HttpVersion.HTTP_1_1));
  }

  /** Whether the header {@code Accept} names the media type, whatever its weight is. */
  private static boolean accepts(String type, HttpRequest request) {
    return request.headers().getAll(HttpHeaderNames.ACCEPT).stream()
        .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(type));
  }
}
