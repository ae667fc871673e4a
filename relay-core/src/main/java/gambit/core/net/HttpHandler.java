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
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP at the relay's port: the one path {@code /} is upgraded to a WebSocket, or answers with the
 * relay information document (NIP-11); every other path is 404. On the channel's event loop.
 */
final class HttpHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final String NOSTR_JSON = "application/nostr+json";
  private static final byte[] HELLO =
      "This is a Nostr relay: connect with a Nostr client.\n".getBytes(StandardCharsets.UTF_8);

  private final RelayCore relay;
  private final byte[] information;
  private final ChannelGroup clients;

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
    if (!request.decoderResult().isSuccess()) {
      answer(ctx, request, HttpResponseStatus.BAD_REQUEST, "text/plain", new byte[0]);
    } else if (!new QueryStringDecoder(request.uri()).path().equals("/")) {
      answer(ctx, request, HttpResponseStatus.NOT_FOUND, "text/plain", new byte[0]);
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      answer(ctx, request, HttpResponseStatus.NO_CONTENT, NOSTR_JSON, new byte[0]);
    } else if (!request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD)) {
      answer(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED, "text/plain", new byte[0]);
    } else if (request
        .headers()
        .containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)) {
      upgrade(ctx, request);
    } else if (wantsInformation(request)) {
      answer(ctx, request, HttpResponseStatus.OK, NOSTR_JSON, information);
    } else {
      answer(ctx, request, HttpResponseStatus.OK, "text/plain; charset=utf-8", HELLO);
    }
  }

  private static boolean wantsInformation(FullHttpRequest request) {
    return request.headers().getAll(HttpHeaderNames.ACCEPT).stream()
        .anyMatch(accept -> accept.contains(NOSTR_JSON));
  }

  private void upgrade(ChannelHandlerContext ctx, FullHttpRequest request) {
    WebSocketDecoderConfig frames =
        WebSocketDecoderConfig.newBuilder()
            .maxFramePayloadLength(relay.limits().messageBytes())
            .closeOnProtocolViolation(false)
            .withUTF8Validator(false)
            .build();
    // The URL only matters to the oldest drafts; RFC 6455 does not send it.
    WebSocketServerHandshaker handshaker =
        new WebSocketServerHandshakerFactory("/", null, frames).newHandshaker(request);
    if (handshaker == null) {
      WebSocketServerHandshakerFactory.sendUnsupportedVersionResponse(ctx.channel());
      return;
    }
    WebSocketHandler handler = new WebSocketHandler(ctx.channel(), relay);
    ctx.pipeline().remove("timeout");
    ctx.pipeline().replace(this, "websocket", handler);
    clients.add(ctx.channel());
    handshaker
        .handshake(ctx.channel(), request)
        .addListener(
            done -> {
              if (!done.isSuccess()) {
                ctx.close();
              }
            });
  }

  private static void answer(
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
    boolean keep = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
    HttpUtil.setKeepAlive(response, keep);
    var written = ctx.writeAndFlush(response);
    if (!keep) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.debug("A request failed", cause);
    }
    ctx.close();
  }
}
