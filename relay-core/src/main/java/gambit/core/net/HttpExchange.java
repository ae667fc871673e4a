package gambit.core.net;

import gambit.core.feature.PostHandler;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * HTTP on one connection, of the relay's port and of the operators': requests are read and answered
 * one after the other. A request must be complete before a deadline, however slowly its bytes
 * arrive, and its answer be taken before another one. While an answer is made on another thread, a
 * further request is dropped, and the connection is closed after that answer. On the channel's
 * event loop.
 */
public abstract class HttpExchange extends SimpleChannelInboundHandler<HttpObject> {
  protected static final int MAX_BODY_BYTES = PostHandler.MAX_BODY_BYTES;

  private final int answerSeconds;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
  private @Nullable HttpRequest request; // perhaps without the end of its body
  private @Nullable Future<?> deadline;
  private int answersUnderWay;
  private boolean isAnswerAwaited;
  private boolean hasReadParts;
  private boolean isBetweenRequests;
  private boolean hasAnsweredLast;

  /** Within that time, a client must take an answer; making an answer that is awaited counts. */
  protected HttpExchange(int answerSeconds) {
    this.answerSeconds = answerSeconds;
  }

  /** Opens a port for plain HTTP, whose connections have an exchange each; or ends the loops. */
  public static Channel listen(
      EventLoops loops, InetSocketAddress address, Supplier<HttpExchange> exchanges)
      throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(EventLoops.serverChannel())
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new HttpServerCodec()).addLast(exchanges.get());
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
      throw bound.cause() instanceof IOException e ? e : new IOException(bound.cause());
    }
    return bound.channel();
  }

  protected abstract void answer(ChannelHandlerContext ctx, HttpRequest request, byte[] body);

  /** Answers input that is not a complete request, and closes. */
  protected abstract void refuse(ChannelHandlerContext ctx, HttpResponseStatus status);

  /** All answers were taken, and further requests are read: sets the deadline of the next one. */
  protected abstract void awaitNext(ChannelHandlerContext ctx);

  /** The first bytes of a request have arrived where there was none. */
  protected void requestBegan(ChannelHandlerContext ctx) {}

  /** Sets the deadline of a request of which no byte has arrived. */
  protected final void awaitRequest(ChannelHandlerContext ctx, int seconds) {
    isBetweenRequests = true;
    requireRequest(ctx, seconds);
  }

  /** Sets the deadline of a request that has begun, or counts as begun. */
  protected final void requireRequest(ChannelHandlerContext ctx, int seconds) {
    schedule(ctx, () -> requestIsMissing(ctx), seconds);
  }

  /** Ends a connection; silently if no request has begun, or the answer could not be encrypted. */
  private void requestIsMissing(ChannelHandlerContext ctx) {
    if (isBetweenRequests || TlsHandshakes.isUnderWay(ctx.channel())) {
      ctx.close();
    } else {
      refuse(ctx, HttpResponseStatus.REQUEST_TIMEOUT);
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

  /** Bytes that complete no part of a request begin one. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!hasReadParts && !hasAnsweredLast) {
      begin(ctx);
    }
    hasReadParts = false;
    ctx.fireChannelReadComplete();
  }

  private void begin(ChannelHandlerContext ctx) {
    if (isBetweenRequests) {
      isBetweenRequests = false;
      requestBegan(ctx);
    }
  }

  @Override
  protected final void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
    hasReadParts = true;
    if (isAnswerAwaited) {
      hasAnsweredLast |= part instanceof HttpRequest; // a further answer would have to wait
    } else if (!hasAnsweredLast) {
      read(ctx, part);
    }
  }

  private void read(ChannelHandlerContext ctx, HttpObject part) {
    if (!part.decoderResult().isSuccess()) {
      refuse(ctx, statusOf(part.decoderResult().cause()));
      return;
    }
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
      if (body.size() + content.content().readableBytes() > MAX_BODY_BYTES) {
        refuse(ctx, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
        return;
      }
      body.writeBytes(ByteBufUtil.getBytes(content.content()));
      if (part instanceof LastHttpContent) {
        HttpRequest complete = request;
        request = null;
        answer(ctx, complete, body.toByteArray());
      }
    }
  }

  private static HttpResponseStatus statusOf(Throwable cause) {
    if (cause instanceof TooLongHttpHeaderException) {
      return HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
    }
    return cause instanceof TooLongHttpLineException
        ? HttpResponseStatus.REQUEST_URI_TOO_LONG
        : HttpResponseStatus.BAD_REQUEST;
  }

  /** The answer to the complete request is made on another thread; {@link #write} ends this. */
  protected final void awaitAnswer(ChannelHandlerContext ctx) {
    isAnswerAwaited = true;
    schedule(ctx, ctx::close, answerSeconds);
  }

  /** Sends an answer, after which the connection is closed unless it is to be kept. */
  protected void write(ChannelHandlerContext ctx, FullHttpResponse response, boolean keep) {
    hasAnsweredLast |= !keep;
    if (hasAnsweredLast) {
      response.headers().add(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    if (!isAnswerAwaited) {
      schedule(ctx, ctx::close, answerSeconds);
    }
    isAnswerAwaited = false;
    answersUnderWay++;
    ctx.writeAndFlush(response).addListener(done -> answerWasTaken(ctx));
  }

  private void answerWasTaken(ChannelHandlerContext ctx) {
    answersUnderWay--;
    if (!isIdle() || ctx.isRemoved() || !ctx.channel().isActive()) {
      return;
    }
    if (!hasAnsweredLast) {
      awaitNext(ctx);
      if (request != null) { // its body is still arriving
        begin(ctx);
      }
    } else if (ctx.channel() instanceof DuplexChannel duplex && duplex.isInputShutdown()) {
      ctx.close();
    } else {
      Clients.closeAfterLastMessage(ctx.channel());
    }
  }

  /** Whether the client has been sent all that it will be sent, or nothing is being made for it. */
  protected final boolean isIdle() {
    return !isAnswerAwaited && answersUnderWay == 0;
  }
}
