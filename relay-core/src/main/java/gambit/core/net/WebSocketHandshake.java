package gambit.core.net;

import gambit.core.limit.Limit;
import gambit.core.session.Peer;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * The handshake of a WebSocket (RFC 6455, section 4.2): checks the request, answers it, and changes
 * the channel's pipeline from HTTP to frames. Netty's own handshake loses what a client sends right
 * after its request. On the channel's event loop.
 */
final class WebSocketHandshake {
  private static final CharSequence UPGRADE = HttpHeaderNames.UPGRADE;
  private static final CharSequence WEBSOCKET = HttpHeaderValues.WEBSOCKET;

  /** Appended to the client's key before hashing (section 4.2.2). */
  private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private static final String VERSION = "13";

  /** Sixteen bytes in Base64. */
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");

  private static final HttpHeaders SUPPORTED_VERSION =
      new DefaultHttpHeaders()
          .set(UPGRADE, WEBSOCKET)
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
          .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);

  private WebSocketHandshake() {}

  static boolean isRequestedBy(HttpRequest request) {
    return request.headers().containsValue(UPGRADE, WEBSOCKET, true);
  }

  /** The answer to a request for a WebSocket that is not well-formed. */
  static Optional<HttpAnswer> objection(HttpRequest request) {
    HttpHeaders headers = request.headers();
    if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      return Optional.of(HttpAnswer.of(HttpResponseStatus.UPGRADE_REQUIRED, SUPPORTED_VERSION));
    }
    boolean isWellFormed =
        request.method().equals(HttpMethod.GET)
            && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
            && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
            && headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY).size() == 1
            && KEY.matcher(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY)).matches();
    return isWellFormed
        ? Optional.empty()
        : Optional.of(HttpAnswer.of(HttpResponseStatus.BAD_REQUEST));
  }

  /**
   * Accepts a request; {@code http}, the handler of the context, leaves the pipeline. The answer
   * passes by Netty's codec; bytes that the codec has read after the request are decoded as frames.
   */
  static void complete(
      ChannelHandlerContext ctx,
      ChannelHandler http,
      Endpoint endpoint,
      HttpHeaders request,
      Peer client) {
    String compression =
        endpoint.settingsNow().transport().compress()
            ? Compression.acceptedOffer(request.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS))
            : null;
    FullHttpResponse answer = answer(request.get(HttpHeaderNames.SEC_WEBSOCKET_KEY));
    if (compression != null) {
      answer.headers().set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, compression);
    }
    ctx.write(answer, ctx.voidPromise()); // a failure closes the channel

    FrameDecoder decoder =
        new FrameDecoder(
            compression != null,
            maxPayloadBytes(endpoint, compression != null),
            endpoint.lifecycle().time(),
            endpoint.metrics());
    WebSocketHandler handler =
        new WebSocketHandler(ctx.channel(), endpoint, client, decoder, compression != null);
    ctx.pipeline()
        .addBefore(ctx.name(), "frame-decoder", decoder)
        .replace(http, "websocket", handler);
    ctx.channel().flush();
    handler.opened();
    ctx.pipeline().remove(HttpServerCodec.class);
  }

  /** The answer with its headers in the order of RFC 6455 (section 4.2.2). */
  private static FullHttpResponse answer(String key) {
    byte[] hash = sha1((key + KEY_SUFFIX).getBytes(StandardCharsets.US_ASCII));
    FullHttpResponse answer =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
    answer
        .headers()
        .set(UPGRADE, WEBSOCKET)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, Base64.getEncoder().encodeToString(hash));
    return answer;
  }

  private static byte[] sha1(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  private static LongSupplier maxPayloadBytes(Endpoint endpoint, boolean compressed) {
    LongSupplier messageBytes = endpoint.limits().of(Limit.MESSAGE_BYTES);
    return compressed
        ? () -> Compression.maxBytes(Math.toIntExact(messageBytes.getAsLong()))
        : messageBytes;
  }
}
