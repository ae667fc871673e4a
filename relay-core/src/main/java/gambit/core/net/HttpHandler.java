package gambit.core.net;

import gambit.core.feature.PostHandler;
import gambit.core.limit.Limit;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.session.Peer;
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
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP at the relay's port: a request for {@code /} is upgraded to a WebSocket ({@link
 * WebSocketHandshake}), or answered with the relay information document (NIP-11) or the web page;
 * other paths are files of the page or 404. Each request must be complete before a deadline,
 * however slowly its bytes arrive, and its answer be taken before another one; a body is read and
 * dropped, unless a feature answers it ({@link PostHandler}). On the channel's event loop.
 */
final class HttpHandler extends SimpleChannelInboundHandler<HttpObject> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);
  private static final String NOSTR_JSON = "application/nostr+json";
  private static final String HTML = "text/html";
  private static final String PLAIN_TEXT = "text/plain; charset=utf-8";

  private static final HttpHeaders ALLOWED_METHODS =
      new DefaultHttpHeaders().set(HttpHeaderNames.ALLOW, HttpAnswer.METHODS);

  /** When a client that was refused for lack of room may try again. */
  private static final int RETRY_SECONDS = 30;

  /** When a client that was refused for lack of the cluster may try again, here or elsewhere. */
  private static final int CUT_OFF_RETRY_SECONDS = 2;

  /**
   * The time within which a client must take an answer, also one of many files over a slow line.
   */
  private static final int ANSWER_SECONDS = 120;

  private static final String TLS_IS_NEEDED =
      "This port speaks TLS: use wss:// or https:// in the URL.\n";

  private static final CharSequence FORWARDED_FOR = "X-Forwarded-For";

  private final Endpoint endpoint;
  private @Nullable HttpRequest request; // perhaps without the end of its body
  private final PostExchange posts = new PostExchange();
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
    if (posts.isAwaited()) {
      hasAnsweredLast |= part instanceof HttpRequest; // a further answer would have to wait
      return;
    } else if (hasAnsweredLast) {
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
      if (bodyBytes > PostHandler.MAX_BODY_BYTES) {
        answer(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
      } else if (part instanceof LastHttpContent) {
        posts.add(content);
        HttpRequest complete = request;
        request = null;
        answer(ctx, complete);
      } else {
        posts.add(content);
      }
    }
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest begun) {
    request = begun;
    isBetweenRequests = false;
    bodyBytes = 0;
    posts.begin(
        Requests.path(begun).equals("/") ? endpoint.extensions().handler(begun) : Optional.empty());
    if (HttpUtil.is100ContinueExpected(begun)) {
      ctx.writeAndFlush(
          new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
  }

  private void answer(ChannelHandlerContext ctx, HttpRequest request) {
    Peer client = endpoint.peer(client(ctx, request), request);
    long wait =
        client.isOperator()
            ? 0
            : endpoint.bounds().rates().secondsToWait(Verb.HTTP, client.address());
    if (wait > 0) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.TOO_MANY_REQUESTS, retryAfter(wait)));
    } else if (!client.isOperator()
        && endpoint.extensions().refusedAddresses().test(client.address())) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.FORBIDDEN));
    } else if (!Requests.isToOneHost(request)) {
      answer(ctx, request, HttpAnswer.of(HttpResponseStatus.BAD_REQUEST));
    } else if (Requests.isForRelay(request) && WebSocketHandshake.isRequestedBy(request)) {
      upgrade(ctx, request, client);
    } else if (posts.hasHandler()) {
      schedule(ctx, ctx::close, ANSWER_SECONDS);
      posts.handle(
          request,
          client.address(),
          answer -> ctx.executor().execute(() -> answerPost(ctx, request, answer)));
    } else {
      answer(ctx, request, answer(request));
    }
  }

  private void answerPost(ChannelHandlerContext ctx, HttpRequest request, HttpAnswer answer) {
    posts.answered();
    if (ctx.isRemoved()) {
      return;
    }
    HttpAnswer.permittingPosts(answer.headers());
    boolean keep = HttpUtil.isKeepAlive(request) && !hasAnsweredLast;
    write(ctx, answer.response(request.method()), keep);
  }

  /** The answer to a request that is not for an upgrade. */
  private HttpAnswer answer(HttpRequest request) {
    String path = Requests.path(request);
    Optional<WebFile> file = endpoint.page().file(path);
    if (!path.equals("/") && file.isEmpty()) {
      return HttpAnswer.of(HttpResponseStatus.NOT_FOUND);
    } else if (request.method().equals(HttpMethod.OPTIONS)) {
      HttpHeaders headers = HttpAnswer.type(NOSTR_JSON);
      return HttpAnswer.of(
          HttpResponseStatus.NO_CONTENT,
          endpoint.extensions().answerPosts() && path.equals("/")
              ? HttpAnswer.permittingPosts(headers)
              : headers);
    } else if (!Requests.isRead(request)) {
      return HttpAnswer.of(HttpResponseStatus.METHOD_NOT_ALLOWED, ALLOWED_METHODS);
    } else if (file.isPresent()) {
      return HttpAnswer.file(file.get(), request);
    } else if (Requests.accepts(NOSTR_JSON, request)) {
      return HttpAnswer.content(NOSTR_JSON, endpoint.information());
    }
    return endpoint
        .page()
        .index()
        .filter(index -> Requests.accepts(HTML, request))
        .map(index -> HttpAnswer.file(index, request))
        .orElseGet(() -> HttpAnswer.content(PLAIN_TEXT, endpoint.page().hint()));
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

  private void upgrade(ChannelHandlerContext ctx, HttpRequest request, Peer client) {
    if (endpoint.extensions().areCutOff() && !client.isOperator()) {
      answer(
          ctx,
          request,
          HttpAnswer.of(HttpResponseStatus.SERVICE_UNAVAILABLE, retryAfter(CUT_OFF_RETRY_SECONDS)));
      return;
    }
    Optional<HttpResponseStatus> objection = WebSocketHandshake.objection(request);
    if (objection.isPresent()) {
      HttpHeaders headers =
          objection.get().equals(HttpResponseStatus.UPGRADE_REQUIRED)
              ? WebSocketHandshake.SUPPORTED_VERSION
              : EmptyHttpHeaders.INSTANCE;
      answer(ctx, request, HttpAnswer.of(objection.get(), headers));
    } else if (endpoint.lifecycle().ending().get()
        || (endpoint.operator().isRequired() && !client.isOperator())) {
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
