package gambit.core.net;

import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.session.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
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
 * HTTP at the relay's port: the one path {@code /} is upgraded to a WebSocket, or answers with the
 * relay information document (NIP-11); every other path is 404. Each request has to be whole in
 * time, however slowly its bytes drip. On the channel's event loop.
 */
final class HttpHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final String NOSTR_JSON = "application/nostr+json";
  private static final CharSequence UPGRADE = HttpHeaderNames.UPGRADE;
  private static final CharSequence WEBSOCKET = HttpHeaderValues.WEBSOCKET;
  private static final String VERSION = "13";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");
  private static final HttpHeaders VERSION_SPOKEN =
      new DefaultHttpHeaders()
          .set(UPGRADE, WEBSOCKET)
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
          .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);

  /** When a client may try again that found no place. */
  private static final int RETRY_SECONDS = 30;

  private static final byte[] NOTHING = {};
  private static final byte[] HELLO =
      "This is a Nostr relay: connect with a Nostr client.\n".getBytes(StandardCharsets.UTF_8);

  private static final CharSequence FORWARDED_FOR = "X-Forwarded-For";

  private final Endpoint endpoint;
  private @Nullable Future<?> deadline;
  private boolean answeredLast;

  /** Answers for one channel. */
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
                endpoint.limits().handshakeSeconds(),
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
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (answeredLast) {
      return;
    }
    stopAwaiting();
    if (!request.decoderResult().isSuccess()) {
      answer(ctx, unreadable(request.decoderResult().cause()));
      return;
    }
    ClientAddress client = client(ctx, request);
    long wait = endpoint.rates().secondsToWait(Verb.HTTP, client);
    if (wait > 0) {
      answer(ctx, request, HttpResponseStatus.TOO_MANY_REQUESTS, retryAfter(wait), NOTHING);
    } else if (request.headers().getAll(HttpHeaderNames.HOST).size() != 1
        && request.protocolVersion().equals(HttpVersion.HTTP_1_1)) { // RFC 9112, section 3.2
      refuse(ctx, request, HttpResponseStatus.BAD_REQUEST);
    } else if (!isRoot(request.uri())) {
      refuse(ctx, request, HttpResponseStatus.NOT_FOUND);
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      answer(ctx, request, HttpResponseStatus.NO_CONTENT, type(NOSTR_JSON), NOTHING);
    } else if (!request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD)) {
      refuse(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED);
    } else if (request.headers().containsValue(UPGRADE, WEBSOCKET, true)) {
      takeUpgrade(ctx, request, client);
    } else if (wantsInformation(request)) {
      answer(
          ctx,
          request,
          HttpResponseStatus.OK,
          type(NOSTR_JSON),
          endpoint.information().getBytes(StandardCharsets.UTF_8));
    } else {
      answer(ctx, request, HttpResponseStatus.OK, type("text/plain; charset=utf-8"), HELLO);
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

  /** Where the client is, by the word of the proxies in between if they are trusted. */
  private ClientAddress client(ChannelHandlerContext ctx, FullHttpRequest request) {
    InetAddress source = ctx.channel().attr(ProxyProtocol.SOURCE).get();
    return ClientAddress.of(
        endpoint
            .transport()
            .proxies()
            .client(
                source == null ? RelayChannels.peer(ctx.channel()) : source,
                request.headers().getAll(FORWARDED_FOR)));
  }

  /** The path is {@code /}, whatever the query; also in absolute form (RFC 9112, section 3.2.2). */
  private static boolean isRoot(String target) {
    try {
      URI uri = new URI(target);
      return uri.getPath() != null
          && (uri.getPath().equals("/") || (uri.isAbsolute() && uri.getPath().isEmpty()));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean wantsInformation(FullHttpRequest request) {
    return request.headers().getAll(HttpHeaderNames.ACCEPT).stream()
        .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(NOSTR_JSON));
  }

  /** Only the one version of the protocol, asked for as RFC 6455, section 4.2.1 has it. */
  private void takeUpgrade(
      ChannelHandlerContext ctx, FullHttpRequest request, ClientAddress client) {
    HttpHeaders headers = request.headers();
    if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      answer(ctx, request, HttpResponseStatus.UPGRADE_REQUIRED, VERSION_SPOKEN, NOTHING);
    } else if (!request.method().equals(HttpMethod.GET)
        || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        || !headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
        || !isKey(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
      refuse(ctx, request, HttpResponseStatus.BAD_REQUEST);
    } else if (endpoint.ending().get()) {
      refuse(ctx, request, HttpResponseStatus.SERVICE_UNAVAILABLE);
    } else {
      endpoint
          .clients()
          .admit(ctx.channel(), client)
          .ifPresentOrElse(
              status -> answer(ctx, request, status, retryAfter(RETRY_SECONDS), NOTHING),
              () -> upgrade(ctx, request, client));
    }
  }

  /** Sixteen bytes in Base64. */
  private static boolean isKey(@Nullable String key) {
    return key != null && KEY.matcher(key).matches();
  }

  private void upgrade(ChannelHandlerContext ctx, FullHttpRequest request, ClientAddress client) {
    HttpHeaders agreed = new DefaultHttpHeaders();
    Optional<String> compression =
        endpoint.transport().compress()
            ? CompressionOffer.accept(
                request.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS))
            : Optional.empty();
    compression.ifPresent(it -> agreed.set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, it));
    FrameDecoder decoder = new FrameDecoder(frames(compression.isPresent()));
    // The URL only matters to the oldest drafts; RFC 6455 does not send it.
    WebSocketServerHandshaker handshaker =
        new WebSocketServerHandshaker13("/", null, frames(compression.isPresent())) {
          @Override
          protected WebSocketFrameDecoder newWebsocketDecoder() {
            return decoder;
          }
        };
    WebSocketHandler handler =
        new WebSocketHandler(ctx.channel(), endpoint, client, decoder, compression.isPresent());
    int silence = endpoint.limits().silentSeconds();
    ctx.pipeline().addFirst("idle", new IdleStateHandler(silence, 0, 0));
    ctx.pipeline().replace(this, "websocket", handler);
    handshaker
        .handshake(ctx.channel(), request, agreed, ctx.channel().newPromise())
        .addListener(
            done -> {
              if (done.isSuccess()) {
                handler.begin();
              } else {
                ctx.close();
              }
            });
  }

  private WebSocketDecoderConfig frames(boolean compressed) {
    Limits limits = endpoint.limits();
    return WebSocketDecoderConfig.newBuilder()
        .maxFramePayloadLength(
            compressed ? Compression.longest(limits.messageBytes()) : limits.messageBytes())
        .allowExtensions(compressed)
        .closeOnProtocolViolation(false)
        .withUTF8Validator(false)
        .build();
  }

  private void refuse(
      ChannelHandlerContext ctx, FullHttpRequest request, HttpResponseStatus status) {
    answer(ctx, request, status, EmptyHttpHeaders.INSTANCE, NOTHING);
  }

  private static HttpHeaders type(String type) {
    return new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, type);
  }

  private static HttpHeaders retryAfter(long seconds) {
    return new DefaultHttpHeaders().set(HttpHeaderNames.RETRY_AFTER, seconds);
  }

  private void answer(
      ChannelHandlerContext ctx,
      FullHttpRequest request,
      HttpResponseStatus status,
      HttpHeaders headers,
      byte[] body) {
    boolean headersOnly = request.method().equals(HttpMethod.HEAD);
    ByteBuf content = headersOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
    FullHttpResponse response = response(status, content, body.length);
    response.headers().add(headers);
    boolean keep =
        HttpUtil.isKeepAlive(request)
            && ctx.channel().isWritable(); // one that asks and does not read is not served on
    write(ctx, response, keep);
  }

  /** Answers what is no request, and closes. */
  private void answer(ChannelHandlerContext ctx, HttpResponseStatus status) {
    write(ctx, response(status, Unpooled.EMPTY_BUFFER, 0), false);
  }

  /** An answer that every web page may read (CORS). */
  private static FullHttpResponse response(HttpResponseStatus status, ByteBuf content, int length) {
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_LENGTH, length)
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS");
    return response;
  }

  private void write(ChannelHandlerContext ctx, FullHttpResponse response, boolean keep) {
    endpoint.meters().answered(response.status());
    HttpUtil.setKeepAlive(response, keep);
    var written = ctx.writeAndFlush(response);
    if (keep) {
      awaitRequest(ctx);
    } else {
      answeredLast = true;
      written.addListener(done -> Lingering.close(ctx.channel()));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (Errors.fatalIn(cause) != null) {
      endpoint.onDeath().accept(cause);
    } else if (!(cause instanceof IOException)) {
      LOG.debug("A request failed", cause);
    }
    ctx.close();
  }
}
