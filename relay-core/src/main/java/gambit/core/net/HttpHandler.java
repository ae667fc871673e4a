package gambit.core.net;

import gambit.core.session.RelayCore;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP at the relay's port: the one path {@code /} is upgraded to a WebSocket, or answers with the
 * relay information document (NIP-11); every other path is 404. On the channel's event loop.
 */
final class HttpHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final String NOSTR_JSON = "application/nostr+json";
  private static final CharSequence UPGRADE = HttpHeaderNames.UPGRADE;
  private static final CharSequence WEBSOCKET = HttpHeaderValues.WEBSOCKET;
  private static final String VERSION = "13";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");
  private static final byte[] HELLO =
      "This is a Nostr relay: connect with a Nostr client.\n".getBytes(StandardCharsets.UTF_8);

  private final RelayCore relay;
  private final byte[] information;
  private final ChannelGroup clients;
  private boolean answeredLast;

  /**
   * Answers for one channel.
   *
   * @param information the relay information document
   * @param clients where WebSocket connections are listed
   */
  HttpHandler(RelayCore relay, byte[] information, ChannelGroup clients) {
    this.relay = relay;
    this.information = information;
    this.clients = clients;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (answeredLast) {
      return;
    }
    if (!request.decoderResult().isSuccess()) {
      refuse(ctx, request, HttpResponseStatus.BAD_REQUEST);
    } else if (!isRoot(request.uri())) {
      refuse(ctx, request, HttpResponseStatus.NOT_FOUND);
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      answer(ctx, request, HttpResponseStatus.NO_CONTENT, NOSTR_JSON, new byte[0]);
    } else if (!request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD)) {
      refuse(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED);
    } else if (request.headers().containsValue(UPGRADE, WEBSOCKET, true)) {
      takeUpgrade(ctx, request);
    } else if (wantsInformation(request)) {
      answer(ctx, request, HttpResponseStatus.OK, NOSTR_JSON, information);
    } else {
      answer(ctx, request, HttpResponseStatus.OK, "text/plain; charset=utf-8", HELLO);
    }
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
  private void takeUpgrade(ChannelHandlerContext ctx, FullHttpRequest request) {
    HttpHeaders headers = request.headers();
    if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      refuse(ctx, request, HttpResponseStatus.UPGRADE_REQUIRED);
    } else if (!request.method().equals(HttpMethod.GET)
        || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        || !headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
        || !isKey(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
      refuse(ctx, request, HttpResponseStatus.BAD_REQUEST);
    } else if (relay.ending().get() || clients.size() >= relay.limits().connections()) {
      refuse(ctx, request, HttpResponseStatus.SERVICE_UNAVAILABLE);
    } else {
      upgrade(ctx, request);
    }
  }

  /** Sixteen bytes in Base64. */
  private static boolean isKey(@Nullable String key) {
    return key != null && KEY.matcher(key).matches();
  }

  private void upgrade(ChannelHandlerContext ctx, FullHttpRequest request) {
    WebSocketDecoderConfig frames =
        WebSocketDecoderConfig.newBuilder()
            .maxFramePayloadLength(relay.limits().messageBytes())
            .closeOnProtocolViolation(false)
            .withUTF8Validator(false)
            .build();
    // The URL only matters to the oldest drafts; RFC 6455 does not send it.
    WebSocketServerHandshaker handshaker = new WebSocketServerHandshaker13("/", null, frames);
    WebSocketHandler handler = new WebSocketHandler(ctx.channel(), relay);
    ctx.pipeline()
        .replace("timeout", "idle", new IdleStateHandler(relay.limits().silentSeconds(), 0, 0));
    ctx.pipeline().replace(this, "websocket", handler);
    clients.add(ctx.channel());
    handshaker
        .handshake(ctx.channel(), request)
        .addListener(
            done -> {
              if (done.isSuccess()) {
                handler.greet();
              } else {
                ctx.close();
              }
            });
  }

  private void refuse(
      ChannelHandlerContext ctx, FullHttpRequest request, HttpResponseStatus status) {
    answer(ctx, request, status, "text/plain", new byte[0]);
  }

  private void answer(
      ChannelHandlerContext ctx,
      FullHttpRequest request,
      HttpResponseStatus status,
      String type,
      byte[] body) {
    boolean headersOnly = request.method().equals(HttpMethod.HEAD);
    ByteBuf content = headersOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "*")
        .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS");
    if (status.equals(HttpResponseStatus.UPGRADE_REQUIRED)) {
      response
          .headers()
          .set(UPGRADE, WEBSOCKET)
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
          .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);
    }
    boolean keep =
        HttpUtil.isKeepAlive(request)
            && request.decoderResult().isSuccess()
            && ctx.channel().isWritable(); // one that asks and does not read is not served on
    HttpUtil.setKeepAlive(response, keep);
    var written = ctx.writeAndFlush(response);
    if (!keep) {
      answeredLast = true;
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (Errors.fatalIn(cause) != null) {
      relay.onDeath().accept(cause);
    } else if (!(cause instanceof IOException)) {
      LOG.debug("A request failed", cause);
    }
    ctx.close();
  }
}
