package gambit.core.net;

import gambit.core.limit.Limit;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP at the relay's port: a request for {@code /} is upgraded to a WebSocket ({@link
 * WebSocketHandshake}), or answered with the relay information document (NIP-11) or the web page;
 * other paths are files of the page or 404. Each request must be complete before a deadline,
 * however slowly its bytes arrive, and its answer be taken before another one; a body is read and
 * dropped. On the channel's event loop.
 */
final class HttpHandler extends SimpleChannelInboundHandler<HttpObject> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final String NOSTR_JSON = "application/nostr+json";
  private static final String HTML = "text/html";
  private static final String PLAIN_TEXT = "text/plain; charset=utf-8";

  /** The path of a request's target, also in absolute form (RFC 9112, 3.2). */
  private static final Pattern TARGET =
      Pattern.compile("(?:https?://[^/?#]+)?(/[^?#]*)?(?:\\?[^#]*)?", Pattern.CASE_INSENSITIVE);

  private static final HttpHeaders ALLOWED_METHODS =
      new DefaultHttpHeaders().set(HttpHeaderNames.ALLOW, HttpAnswer.METHODS);

  /** When a client that was refused for lack of room may try again. */
  private static final int RETRY_SECONDS = 30;

  /** The longest body, in bytes; no request that is answered needs one. */
  private static final int MAX_BODY_BYTES = 8192;

  /**
   * The time within which a client must take an answer, also one of many files over a slow line.
   */
  private static final int ANSWER_SECONDS = 120;

  private static final String TLS_IS_NEEDED =
      "This port speaks TLS: use wss:// or https:// in the URL.\n";

  private static final CharSequence FORWARDED_FOR = "X-Forwarded-For";

  private final Endpoint endpoint;
  private @Nullable HttpRequest request; // perhaps without the end of its body
  private long bodyBytes;
  private @Nullable Future<?> deadline;
  private int answersUnderWay;
  private boolean hasReadParts;
  private boolean isBetweenRequests;
  private boolean hasAnsweredLast;

  /** Creates the handler of one channel. */
  HttpHandler(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    awaitRequest(ctx);
  }

  private void awaitRequest(ChannelHandlerContext ctx) {
    schedule(
        ctx, () -> requestIsMissing(ctx), endpoint.bounds().limits().get(Limit.HANDSHAKE_SECONDS));
  }

  /**
   * Ends a connection without a complete request in time; silently if none has begun, or if the
   * answer could not be encrypted.
   */
  private void requestIsMissing(ChannelHandlerContext ctx) {
    if (isBetweenRequests || TlsHandshakes.isUnderWay(ctx.channel())) {
      ctx.close();
    } else {
      answer(ctx, HttpResponseStatus.REQUEST_TIMEOUT);
    }
  }

  private void schedule(ChannelHandlerContext ctx, Runnable task, int seconds) {
    cancelDeadline();
    deadline = ctx.executor().schedule(task, seconds, TimeUnit.SECONDS);
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    cancelDeadline();
  }

  /** Answers a plain request to a port of TLS before it is read; its bytes are dropped. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == PlainHttpDetection.PLAIN_HTTP) {
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

  /** Bytes that complete no part of a request begin one. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    isBetweenRequests &= hasReadParts;
    hasReadParts = false;
    ctx.fireChannelReadComplete();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
    hasReadParts = true;
    if (hasAnsweredLast) {
      return;
    }
    if (!part.decoderResult().isSuccess()) {
      answer(ctx, UnreadableRequest.status(part.decoderResult().cause()));
      return;
    }
    if (part instanceof HttpRequest begun) {
      begin(ctx, begun);
    }
    if (part instanceof HttpContent content && request != null) {
      bodyBytes += content.content().readableBytes();
      if (bodyBytes > MAX_BODY_BYTES) {
        answer(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
      } else if (part instanceof LastHttpContent) {
        HttpRequest complete = request;
        request = null;
        answer(ctx, complete);
      }
    }
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest begun) {
    request = begun;
    isBetweenRequests = false;
    bodyBytes = 0;
    if (HttpUtil.is100ContinueExpected(begun)) {
      ctx.writeAndFlush(
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
  }

  private void answer(ChannelHandlerContext ctx, HttpRequest request) {
    ClientAddress client = client(ctx, request);
    long wait = endpoint.bounds().rates().secondsToWait(Verb.HTTP, client);
    if (wait > 0) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.TOO_MANY_REQUESTS, retryAfter(wait)));
    } else if (!isToOneHost(request)) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.BAD_REQUEST));
    } else if (isForRelay(request) && WebSocketHandshake.isRequestedBy(request)) {
      upgrade(ctx, request, client);
    } else {
      answer(ctx, request, answer(request));
    }
  }

  /** The answer to a request that is not for an upgrade. */
  private HttpAnswer answer(HttpRequest request) {
    String path = path(request);
    Optional<WebFile> file = endpoint.page().file(path);
    if (!path.equals("/") && file.isEmpty()) {
      return HttpAnswer.of(HttpResponseStatus.NOT_FOUND);
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      return HttpAnswer.of(HttpResponseStatus.NO_CONTENT, HttpAnswer.type(NOSTR_JSON));
    } else if (!isRead(request)) {
      return HttpAnswer.of(HttpResponseStatus.METHOD_NOT_ALLOWED, ALLOWED_METHODS);
    } else if (file.isPresent()) {
      return HttpAnswer.file(file.get(), request);
    } else if (accepts(NOSTR_JSON, request)) {
      return HttpAnswer.content(NOSTR_JSON, endpoint.information());
    }
    return endpoint
        .page()
        .index()
        .filter(index -> accepts(HTML, request))
        .map(index -> HttpAnswer.file(index, request))
        .orElseGet(() -> HttpAnswer.content(PLAIN_TEXT, endpoint.page().hint()));
  }

  /** Whether a request reads the relay's URL itself, where WebSockets are opened. */
  private static boolean isForRelay(HttpRequest request) {
    return path(request).equals("/") && isRead(request);
  }

  private static boolean isRead(HttpRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  /** The client's address, as trusted proxies report it. */
  private ClientAddress client(ChannelHandlerContext ctx, HttpRequest request) {
    InetAddress source = ctx.channel().attr(ProxyProtocol.SOURCE).get();
    return ClientAddress.of(
        endpoint
            .transport()
            .proxies()
            .client(
                source == null ? PipelineInitializer.peer(ctx.channel()) : source,
                request.headers().getAll(FORWARDED_FOR)));
  }

  /** HTTP/1.1 requires one Host header; earlier versions may omit it (RFC 9112, 3.2). */
  private static boolean isToOneHost(HttpRequest request) {
    int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
    return hosts == 1 || (hosts == 0 && !request.protocolVersion().equals(HttpVersion.HTTP_1_1));
  }

  /** The path of a request, or an empty string if it has none that is understood. */
  private static String path(HttpRequest request) {
    Matcher target = TARGET.matcher(request.uri());
    if (!target.matches() || request.uri().isEmpty() || request.uri().startsWith("?")) {
      return "";
    }
    return target.group(1) == null ? "/" : target.group(1);
  }

  private static boolean accepts(String type, HttpRequest request) {
    return request.headers().getAll(HttpHeaderNames.ACCEPT).stream()
        .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(type));
  }

  private void upgrade(ChannelHandlerContext ctx, HttpRequest request, ClientAddress client) {
    Optional<HttpResponseStatus> objection = WebSocketHandshake.objection(request);
    if (objection.isPresent()) {
      HttpHeaders headers =
          objection.get().equals(HttpResponseStatus.UPGRADE_REQUIRED)
              ? WebSocketHandshake.SUPPORTED_VERSION
              : EmptyHttpHeaders.INSTANCE;
      answer(ctx, request, HttpAnswer.of(objection.get(), headers));
    } else if (endpoint.lifecycle().ending().get()) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.SERVICE_UNAVAILABLE));
    } else {
      endpoint
          .channels()
          .clients()
          .admit(ctx.channel(), client)
          .ifPresentOrElse(
              status -> answer(ctx, request, HttpAnswer.of(status, retryAfter(RETRY_SECONDS))),
              () -> WebSocketHandshake.complete(ctx, this, endpoint, request, client));
    }
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

  /** Answers input that is not a complete request, and closes. */
  private void answer(ChannelHandlerContext ctx, HttpResponseStatus status) {
    write(ctx, HttpAnswer.of(status).response(HttpMethod.GET), false);
  }

  private void write(ChannelHandlerContext ctx, FullHttpResponse response, boolean keep) {
    endpoint.channels().metrics().answered(response.status());
    if (!keep) {
      response.headers().add(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    hasAnsweredLast = !keep;
    answersUnderWay++;
    schedule(ctx, ctx::close, ANSWER_SECONDS);
    ctx.writeAndFlush(response).addListener(done -> answerWasTaken(ctx));
  }

  private void answerWasTaken(ChannelHandlerContext ctx) {
    answersUnderWay--;
    if (answersUnderWay > 0 || ctx.isRemoved()) {
      return;
    }
    if (hasAnsweredLast) {
      LingeringClose.close(ctx.channel());
    } else {
      isBetweenRequests = true;
      awaitRequest(ctx);
    }
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
}
