package gambit.core.net;

import gambit.core.limit.Limit;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP at the relay's port: a request for {@code /} is upgraded to a WebSocket ({@link
 * WebSocketHandshake}) or answered with the relay information document (NIP-11); every other path
 * is 404. Each request must be complete before a deadline, however slowly its bytes arrive; its
 * body is read and dropped. On the channel's event loop.
 */
final class HttpHandler extends SimpleChannelInboundHandler<HttpObject> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final String NOSTR_JSON = "application/nostr+json";
  private static final String METHODS = "GET, HEAD, OPTIONS";
  private static final Pattern ABSOLUTE_ROOT =
      Pattern.compile("https?://[^/?#]+/?(\\?[^#]*)?", Pattern.CASE_INSENSITIVE);
  private static final HttpHeaders ALLOWED_METHODS =
      new DefaultHttpHeaders().set(HttpHeaderNames.ALLOW, METHODS);

  /** When a client that was refused for lack of room may try again. */
  private static final int RETRY_SECONDS = 30;

  /** The longest body, in bytes; no request that is answered needs one. */
  private static final int MAX_BODY_BYTES = 8192;

  private static final byte[] NO_BODY = {};
  private static final byte[] GREETING =
      "This is a Nostr relay: connect with a Nostr client.\n".getBytes(StandardCharsets.UTF_8);

  private static final CharSequence FORWARDED_FOR = "X-Forwarded-For";

  private final Endpoint endpoint;
  private @Nullable HttpRequest request; // perhaps without the end of its body
  private long bodyBytes;
  private @Nullable Future<?> deadline;
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
    deadline =
        ctx.executor()
            .schedule(
                () -> answer(ctx, HttpResponseStatus.REQUEST_TIMEOUT),
                endpoint.bounds().limits().get(Limit.HANDSHAKE_SECONDS),
                TimeUnit.SECONDS);
  }

  private void stopAwaiting() {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    stopAwaiting();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
    if (hasAnsweredLast) {
      return;
    }
    if (!part.decoderResult().isSuccess()) {
      answer(ctx, unreadable(part.decoderResult().cause()));
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
        answer(ctx, request);
      }
    }
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest begun) {
    request = begun;
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
      answer(ctx, request, HttpResponseStatus.TOO_MANY_REQUESTS, retryAfter(wait), NO_BODY);
    } else if (!isToOneHost(request)) {
      refuse(ctx, request, HttpResponseStatus.BAD_REQUEST);
    } else if (!isRoot(request.uri())) {
      refuse(ctx, request, HttpResponseStatus.NOT_FOUND);
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      answer(ctx, request, HttpResponseStatus.NO_CONTENT, type(NOSTR_JSON), NO_BODY);
    } else if (!request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD)) {
      answer(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED, ALLOWED_METHODS, NO_BODY);
    } else if (WebSocketHandshake.isRequestedBy(request)) {
      upgrade(ctx, request, client);
    } else if (wantsInformation(request)) {
      answer(
          ctx,
          request,
          HttpResponseStatus.OK,
          type(NOSTR_JSON),
          endpoint.information().getBytes(StandardCharsets.UTF_8));
    } else {
      answer(ctx, request, HttpResponseStatus.OK, type("text/plain; charset=utf-8"), GREETING);
    }
  }

  private static HttpResponseStatus unreadable(Throwable cause) {
    if (cause instanceof TooLongHttpHeaderException) {
      return HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
    }
    return cause instanceof TooLongHttpLineException
        ? HttpResponseStatus.REQUEST_URI_TOO_LONG
        : HttpResponseStatus.BAD_REQUEST;
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

  /** Whether the path is {@code /}, with any query; also in absolute form (RFC 9112, 3.2.2). */
  private static boolean isRoot(String target) {
    return target.equals("/") || target.startsWith("/?") || ABSOLUTE_ROOT.matcher(target).matches();
  }

  private static boolean wantsInformation(HttpRequest request) {
    return request.headers().getAll(HttpHeaderNames.ACCEPT).stream()
        .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(NOSTR_JSON));
  }

  private void upgrade(ChannelHandlerContext ctx, HttpRequest request, ClientAddress client) {
    Optional<HttpResponseStatus> objection = WebSocketHandshake.objection(request);
    if (objection.isPresent()) {
      HttpHeaders headers =
          objection.get().equals(HttpResponseStatus.UPGRADE_REQUIRED)
              ? WebSocketHandshake.SUPPORTED_VERSION
              : EmptyHttpHeaders.INSTANCE;
      answer(ctx, request, objection.get(), headers, NO_BODY);
    } else if (endpoint.lifecycle().ending().get()) {
      refuse(ctx, request, HttpResponseStatus.SERVICE_UNAVAILABLE);
    } else {
      endpoint
          .channels()
          .clients()
          .admit(ctx.channel(), client)
          .ifPresentOrElse(
              status -> answer(ctx, request, status, retryAfter(RETRY_SECONDS), NO_BODY),
              () -> WebSocketHandshake.complete(ctx, this, endpoint, request, client));
    }
  }

  private void refuse(ChannelHandlerContext ctx, HttpRequest request, HttpResponseStatus status) {
    answer(ctx, request, status, EmptyHttpHeaders.INSTANCE, NO_BODY);
  }

  private static HttpHeaders type(String type) {
    return new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, type);
  }

  private static HttpHeaders retryAfter(long seconds) {
    return new DefaultHttpHeaders().set(HttpHeaderNames.RETRY_AFTER, seconds);
  }

  private void answer(
      ChannelHandlerContext ctx,
      HttpRequest request,
      HttpResponseStatus status,
      HttpHeaders headers,
      byte[] body) {
    boolean headersOnly = request.method().equals(HttpMethod.HEAD);
    ByteBuf content = headersOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
    FullHttpResponse response = response(status, content, body.length);
    response.headers().add(headers);
    boolean keep =
        HttpUtil.isKeepAlive(request)
            && ctx.channel().isWritable(); // a client that does not read its answers is closed
    write(ctx, response, keep);
  }

  /** Answers input that is not a complete request, and closes. */
  private void answer(ChannelHandlerContext ctx, HttpResponseStatus status) {
    write(ctx, response(status, Unpooled.EMPTY_BUFFER, 0), false);
  }

  /** A response that every web page may read (CORS). */
  private static FullHttpResponse response(HttpResponseStatus status, ByteBuf content, int length) {
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_LENGTH, length)
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    return response;
  }

  private void write(ChannelHandlerContext ctx, FullHttpResponse response, boolean keep) {
    stopAwaiting();
    endpoint.channels().metrics().answered(response.status());
    if (!keep) {
      response.headers().add(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    var written = ctx.writeAndFlush(response);
    if (keep) {
      awaitRequest(ctx);
    } else {
      hasAnsweredLast = true;
      written.addListener(done -> LingeringClose.close(ctx.channel()));
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
