package gambit.app.server.metrics;

import gambit.core.net.UnreadableRequest;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the operators' port: requests are answered one after the other. On the event
 * loop of the port; answers are made on the threads of {@link OperatorWork}.
 *
 * <p>An incomplete request is answered 408 after {@value #REQUEST_SECONDS} s; a connection on which
 * no request has begun is closed without an answer, the first time after {@value #REQUEST_SECONDS}
 * s, later after {@value #IDLE_SECONDS} s. A request that arrives before the answer to the previous
 * one was sent is dropped, and the connection is closed after that answer.
 */
final class OperatorConnection extends SimpleChannelInboundHandler<HttpObject> {
  /** The longest body of a request. */
  static final int MAX_BODY_BYTES = 8192;

  private static final int REQUEST_SECONDS = 10;

  /** Longer than any usual interval between two scrapes. */
  private static final int IDLE_SECONDS = 150;

  /** The time for making an answer and for the client to take it. */
  private static final int ANSWER_SECONDS = 30;

  private static final int LINGER_SECONDS = 2;
  private static final Logger LOG = LoggerFactory.getLogger(OperatorConnection.class);

  private final OperatorConnections connections;
  private final OperatorWork work;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
  private @Nullable HttpRequest request; // perhaps without the end of its body
  private @Nullable Future<?> deadline;
  private boolean isAnswering;
  private boolean isLast; // the answer that is being made or sent is the last one
  private boolean isBetweenRequests = true;
  private boolean hasReadParts;
  private boolean hasEnded; // the client sends no more
  private boolean isAnswered; // the last answer was sent

  OperatorConnection(OperatorConnections connections, OperatorWork work) {
    this.connections = connections;
    this.work = work;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (connections.open(ctx.channel())) {
      schedule(ctx, () -> requestIsMissing(ctx), REQUEST_SECONDS);
    }
    ctx.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cancelDeadline();
    connections.closed(ctx.channel());
    ctx.fireChannelInactive();
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

  private void requestIsMissing(ChannelHandlerContext ctx) {
    if (isBetweenRequests) {
      ctx.close();
    } else {
      refuse(ctx, HttpResponseStatus.REQUEST_TIMEOUT);
    }
  }

  /** A client that has closed its side gets the answer to a complete request. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      hasEnded = true;
      if (!isAnswering || isAnswered) {
        ctx.close();
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  /** Bytes that complete no part of a request begin one. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (isBetweenRequests && !hasReadParts && !isAnswering) {
      begin(ctx);
    }
    hasReadParts = false;
    ctx.fireChannelReadComplete();
  }

  private void begin(ChannelHandlerContext ctx) {
    if (isBetweenRequests) {
      isBetweenRequests = false;
      schedule(ctx, () -> requestIsMissing(ctx), REQUEST_SECONDS);
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
    hasReadParts = true;
    if (isAnswering) {
      isLast |= part instanceof HttpRequest;
    } else if (!part.decoderResult().isSuccess()) {
      refuse(ctx, UnreadableRequest.status(part.decoderResult().cause()));
    } else {
      add(ctx, part);
    }
  }

  private void add(ChannelHandlerContext ctx, HttpObject part) {
    if (part instanceof HttpRequest begun) {
      begin(ctx);
      request = begun;
      body.reset();
      if (HttpUtil.is100ContinueExpected(begun)) {
        ctx.writeAndFlush(
            new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
      }
    }
    if (part instanceof HttpContent content && request != null) {
      byte[] bytes = new byte[content.content().readableBytes()];
      content.content().readBytes(bytes);
      body.writeBytes(bytes);
      if (body.size() > MAX_BODY_BYTES) {
        refuse(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
      } else if (part instanceof LastHttpContent) {
        HttpRequest complete = request;
        request = null;
        answer(ctx, complete);
      }
    }
  }

  private void answer(ChannelHandlerContext ctx, HttpRequest complete) {
    beginAnswer(ctx, !HttpUtil.isKeepAlive(complete));
    OperatorRequest asked =
        new OperatorRequest(
            complete.method().name(),
            path(complete.uri()),
            headers(complete),
            body.toString(StandardCharsets.UTF_8));
    try {
      work.answer(asked, answer -> ctx.executor().execute(() -> write(ctx, answer)));
    } catch (RejectedExecutionException e) {
      write(
          ctx,
          OperatorAnswer.text(
              HttpResponseStatus.SERVICE_UNAVAILABLE.code(),
              Map.of("Retry-After", "1"),
              "too many requests at once\n"));
    }
  }

  private void beginAnswer(ChannelHandlerContext ctx, boolean isTheLast) {
    isAnswering = true;
    isLast = isTheLast;
    connections.answering(ctx.channel());
    schedule(ctx, ctx::close, ANSWER_SECONDS);
  }

  private static String path(String target) {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  private static Map<String, String> headers(HttpRequest request) {
    Map<String, String> headers = new HashMap<>();
    request
        .headers()
        .forEach(
            header ->
                headers.merge(
                    header.getKey().toLowerCase(Locale.ROOT),
                    header.getValue(),
                    (first, next) -> first + ", " + next));
    return headers;
  }

  /** Answers input that is not a complete request, and closes. */
  private void refuse(ChannelHandlerContext ctx, HttpResponseStatus status) {
    beginAnswer(ctx, true);
    write(ctx, OperatorAnswer.text(status.code(), status.reasonPhrase() + "\n"));
  }

  private void write(ChannelHandlerContext ctx, OperatorAnswer answer) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(answer.body()));
    answer.headers().forEach((name, value) -> response.headers().set(name, value));
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    if (isLast) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    ctx.writeAndFlush(response).addListener(sent -> answerWasTaken(ctx));
  }

  private void answerWasTaken(ChannelHandlerContext ctx) {
    if (!ctx.channel().isActive()) {
      return;
    }
    if (hasEnded) {
      ctx.close();
    } else if (isLast) { // unread bytes would cause a reset, so the client's are read and dropped
      isAnswered = true;
      if (ctx.channel() instanceof DuplexChannel duplex) {
        duplex.shutdownOutput();
      }
      schedule(ctx, ctx::close, LINGER_SECONDS);
    } else {
      isAnswering = false;
      isBetweenRequests = true;
      connections.waiting(ctx.channel());
      schedule(ctx, () -> requestIsMissing(ctx), IDLE_SECONDS);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.debug("A request of an operator failed", cause);
    }
    ctx.close();
  }
}
