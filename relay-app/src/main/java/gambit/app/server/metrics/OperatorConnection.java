package gambit.app.server.metrics;

import gambit.core.net.HttpExchange;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the operators' port. On the event loop of the port; answers are made on the
 * threads of {@link OperatorRoutes}.
 *
 * <p>An incomplete request is answered 408 after {@value #REQUEST_SECONDS} s; a connection on which
 * no request has begun is closed without an answer, the first time after {@value #REQUEST_SECONDS}
 * s, later after {@value #IDLE_SECONDS} s.
 */
final class OperatorConnection extends HttpExchange {
  private static final int REQUEST_SECONDS = 10;

  /** Longer than any usual interval between two scrapes. */
  private static final int IDLE_SECONDS = 150;

  private static final int ANSWER_SECONDS = 30;

  private static final Logger LOG = LoggerFactory.getLogger(OperatorConnection.class);

  private final OpenConnections connections;
  private final OperatorRoutes routes;
  private boolean hasEnded; // the client sends no more

  OperatorConnection(OpenConnections connections, OperatorRoutes routes) {
    super(ANSWER_SECONDS);
    this.connections = connections;
    this.routes = routes;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    if (connections.open(ctx.channel())) {
      awaitRequest(ctx, REQUEST_SECONDS);
    }
    ctx.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    connections.closed(ctx.channel());
    ctx.fireChannelInactive();
  }

  @Override
  protected void requestBegan(ChannelHandlerContext ctx) {
    requireRequest(ctx, REQUEST_SECONDS);
  }

  @Override
  protected void awaitNext(ChannelHandlerContext ctx) {
    if (hasEnded) {
      ctx.close();
    } else {
      connections.waiting(ctx.channel());
      awaitRequest(ctx, IDLE_SECONDS);
    }
  }

  /** A client that has closed its side gets the answer to a complete request. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      hasEnded = true;
      if (isIdle()) {
        ctx.close();
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  protected void answer(ChannelHandlerContext ctx, HttpRequest request, byte[] body) {
    connections.answering(ctx.channel());
    awaitAnswer(ctx);
    boolean keep = HttpUtil.isKeepAlive(request) && ctx.channel().isWritable();
    OperatorRequest asked =
        new OperatorRequest(
            request.method().name(),
            new QueryStringDecoder(request.uri()).rawPath(),
            request.headers(),
            new String(body, StandardCharsets.UTF_8));
    try {
      routes.answer(
          asked, answer -> ctx.executor().execute(() -> write(ctx, response(answer), keep)));
    } catch (RejectedExecutionException e) {
      OperatorAnswer busy =
          OperatorAnswer.text(
              HttpResponseStatus.SERVICE_UNAVAILABLE.code(),
              Map.of("Retry-After", "1"),
              "too many requests at once\n");
      write(ctx, response(busy), keep);
    }
  }

  @Override
  protected void refuse(ChannelHandlerContext ctx, HttpResponseStatus status) {
    connections.answering(ctx.channel());
    write(ctx, response(OperatorAnswer.text(status.code(), status.reasonPhrase() + "\n")), false);
  }

  private static FullHttpResponse response(OperatorAnswer answer) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(answer.body()));
    answer.headers().forEach((name, value) -> response.headers().set(name, value));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.contentType());
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    return response;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.debug("A request of an operator failed", cause);
    }
    ctx.close();
  }

  /**
   * The open connections to the operators' port, at most {@value #MAX}. Beyond that, the one that
   * has waited for a request for the longest time is closed; if all are being answered, the new one
   * is. On the event loop of the port.
   */
  static final class OpenConnections {
    static final int MAX = 64;

    private final Set<Channel> waiting = new LinkedHashSet<>(); // the longest first
    private final Set<Channel> answering = new LinkedHashSet<>();

    boolean open(Channel channel) {
      if (waiting.size() + answering.size() >= MAX) {
        Iterator<Channel> longest = waiting.iterator();
        if (!longest.hasNext()) {
          channel.close();
          return false;
        }
        Channel closed = longest.next();
        longest.remove();
        closed.close();
      }
      waiting.add(channel);
      return true;
    }

    void answering(Channel channel) {
      waiting.remove(channel);
      answering.add(channel);
    }

    void waiting(Channel channel) {
      answering.remove(channel);
      waiting.add(channel);
    }

    void closed(Channel channel) {
      waiting.remove(channel);
      answering.remove(channel);
    }
  }
}
