package gambit.core.net;

import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.session.Limit;
import gambit.core.session.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
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
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
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
 * time, however slowly its bytes drip; its body is read and dropped. On the channel's event loop.
 */
final class HttpHandler extends SimpleChannelInboundHandler<HttpObject> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final String NOSTR_JSON = "application/nostr+json";
  private static final CharSequence UPGRADE = HttpHeaderNames.UPGRADE;
  private static final CharSequence WEBSOCKET = HttpHeaderValues.WEBSOCKET;
  private static final String METHODS = "GET, HEAD, OPTIONS";
  private static final String VERSION = "13";

  /** What is hashed with the client's key (RFC 6455, section 4.2.2). */
  private static final String ANSWER = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");
  private static final Pattern ABSOLUTE_ROOT =
      Pattern.compile("https?://[^/?#]+/?(\\?[^#]*)?", Pattern.CASE_INSENSITIVE);
  private static final HttpHeaders METHODS_TAKEN =
      new DefaultHttpHeaders().set(HttpHeaderNames.ALLOW, METHODS);
  private static final HttpHeaders VERSION_SPOKEN =
      new DefaultHttpHeaders()
          .set(UPGRADE, WEBSOCKET)
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
          .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, VERSION);

  /** When a client may try again that found no place. */
  private static final int RETRY_SECONDS = 30;

  /** The longest body, in bytes: nothing that is asked here needs one. */
  private static final int BODY = 8192;

  private static final byte[] NOTHING = {};
  private static final byte[] HELLO =
      "This is a Nostr relay: connect with a Nostr client.\n".getBytes(StandardCharsets.UTF_8);

  private static final CharSequence FORWARDED_FOR = "X-Forwarded-For";

  private final Endpoint endpoint;
  private @Nullable HttpRequest request; // of which there may be more to come
  private long body;
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
    if (answeredLast) {
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
      body += content.content().readableBytes();
      if (body > BODY) {
        answer(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
      } else if (part instanceof LastHttpContent) {
        answer(ctx, request);
      }
    }
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest begun) {
    request = begun;
    body = 0;
    if (HttpUtil.is100ContinueExpected(begun)) {
      ctx.writeAndFlush(
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
  }

  private void answer(ChannelHandlerContext ctx, HttpRequest request) {
    ClientAddress client = client(ctx, request);
    long wait = endpoint.bounds().rates().secondsToWait(Verb.HTTP, client);
    if (wait > 0) {
      answer(ctx, request, HttpResponseStatus.TOO_MANY_REQUESTS, retryAfter(wait), NOTHING);
    } else if (!isToOneHost(request)) {
      refuse(ctx, request, HttpResponseStatus.BAD_REQUEST);
    } else if (!isRoot(request.uri())) {
      refuse(ctx, request, HttpResponseStatus.NOT_FOUND);
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      answer(ctx, request, HttpResponseStatus.NO_CONTENT, type(NOSTR_JSON), NOTHING);
    } else if (!request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD)) {
      answer(ctx, request, HttpResponseStatus.METHOD_NOT_ALLOWED, METHODS_TAKEN, NOTHING);
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

  /** There is one host, and none only where there was no such header yet (RFC 9112, 3.2). */
  private static boolean isToOneHost(HttpRequest request) {
    int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
    return hosts == 1 || (hosts == 0 && !request.protocolVersion().equals(HttpVersion.HTTP_1_1));
  }

  /** The path is {@code /}, whatever the query; also in absolute form (RFC 9112, section 3.2.2). */
  private static boolean isRoot(String target) {
    return target.equals("/") || target.startsWith("/?") || ABSOLUTE_ROOT.matcher(target).matches();
  }

  private static boolean wantsInformation(HttpRequest request) {
    return request.headers().getAll(HttpHeaderNames.ACCEPT).stream()
        .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(NOSTR_JSON));
  }

  /** Only the one version of the protocol, asked for as RFC 6455, section 4.2.1 has it. */
  private void takeUpgrade(ChannelHandlerContext ctx, HttpRequest request, ClientAddress client) {
    HttpHeaders headers = request.headers();
    if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
      answer(ctx, request, HttpResponseStatus.UPGRADE_REQUIRED, VERSION_SPOKEN, NOTHING);
    } else if (!request.method().equals(HttpMethod.GET)
        || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        || !headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
        || !isKey(headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY))) {
      refuse(ctx, request, HttpResponseStatus.BAD_REQUEST);
    } else if (endpoint.lifecycle().ending().get()) {
      refuse(ctx, request, HttpResponseStatus.SERVICE_UNAVAILABLE);
    } else {
      endpoint
          .channels()
          .clients()
          .admit(ctx.channel(), client)
          .ifPresentOrElse(
              status -> answer(ctx, request, status, retryAfter(RETRY_SECONDS), NOTHING),
              () -> upgrade(ctx, request, client));
    }
  }

  /** Sixteen bytes in Base64, once. */
  private static boolean isKey(List<String> keys) {
    return keys.size() == 1 && KEY.matcher(keys.get(0)).matches();
  }

  /** From here on there are frames, also what has come right behind the request. */
  private void upgrade(ChannelHandlerContext ctx, HttpRequest request, ClientAddress client) {
    FullHttpResponse agreed =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
    agreed
        .headers()
        .set(UPGRADE, WEBSOCKET)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
        .set(
            HttpHeaderNames.SEC_WEBSOCKET_ACCEPT,
            answerTo(request.headers().get(HttpHeaderNames.SEC_WEBSOCKET_KEY)));
    Optional<String> compression =
        endpoint.transport().compress()
            ? CompressionOffer.accept(
                request.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS))
            : Optional.empty();
    compression.ifPresent(it -> agreed.headers().set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, it));
    ctx.writeAndFlush(agreed).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);

    FrameDecoder decoder =
        new FrameDecoder(frames(compression.isPresent()), endpoint.lifecycle().time());
    WebSocketHandler handler =
        new WebSocketHandler(ctx.channel(), endpoint, client, decoder, compression.isPresent());
    int silence = endpoint.bounds().limits().get(Limit.SILENT_SECONDS);
    ctx.pipeline()
        .addFirst("idle", new IdleStateHandler(silence, 0, 0))
        .addBefore(ctx.name(), "frames", decoder)
        .addBefore(ctx.name(), "own-frames", new WebSocket13FrameEncoder(false))
        .replace(this, "websocket", handler);
    handler.begin();
    ctx.pipeline().remove(HttpServerCodec.class); // hands on what it has not read
  }

  private static String answerTo(String key) {
    try {
      byte[] text = (key + ANSWER).getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  private WebSocketDecoderConfig frames(boolean compressed) {
    Limits limits = endpoint.bounds().limits();
    return WebSocketDecoderConfig.newBuilder()
        .maxFramePayloadLength(
            compressed
                ? Compression.longest(limits.get(Limit.MESSAGE_BYTES))
                : limits.get(Limit.MESSAGE_BYTES))
        .allowExtensions(compressed)
        .closeOnProtocolViolation(false)
        .withUTF8Validator(false)
        .build();
  }

  private void refuse(ChannelHandlerContext ctx, HttpRequest request, HttpResponseStatus status) {
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
      answeredLast = true;
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
