package gambit.core.net;

import gambit.core.session.Connection;
import gambit.core.session.Outbox;
import gambit.core.session.RelayCore;
import gambit.core.wire.ClientMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * WebSocket frames of one channel ↔ its {@link Connection} (RFC 6455): puts fragments together,
 * answers pings, closes with the right code. On the channel's event loop.
 */
final class WebSocketHandler extends SimpleChannelInboundHandler<WebSocketFrame> {
  private static final Logger LOG = LoggerFactory.getLogger(WebSocketHandler.class);

  /** How long a client may take to read what waits for it at the end, and to close its side. */
  private static final int LINGER_SECONDS = 2;

  private final RelayCore relay;
  private final ChannelOutbox outbox;
  private final Connection connection;
  private @Nullable ByteBuf fragments;
  private @Nullable ByteBuf unansweredPing;
  private long drainedAtPing;
  private boolean backlogAtPing;
  private boolean closing;

  WebSocketHandler(Channel channel, RelayCore relay) {
    this.relay = relay;
    this.outbox = new ChannelOutbox(channel, relay.limits().outboxBytes(), relay.outboxes());
    this.connection =
        new Connection(relay, outbox, new AutoRead(channel, relay.ending()), channel.eventLoop());
  }

  private record AutoRead(Channel channel, AtomicBoolean ending) implements Connection.ReadControl {
    @Override
    public void pause() {
      channel.config().setAutoRead(false);
    }

    @Override
    public void resume() {
      if (!ending.get()) {
        channel.config().setAutoRead(true);
      }
    }
  }

  /** The handshake is done. On the event loop. */
  void greet() {
    connection.greet();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
    if (closing) {
      if (frame instanceof CloseWebSocketFrame) {
        ctx.close();
      }
    } else if (frame instanceof TextWebSocketFrame || frame instanceof ContinuationWebSocketFrame) {
      takeText(ctx, frame);
    } else if (frame instanceof PingWebSocketFrame) {
      pong(ctx, frame);
    } else if (frame instanceof CloseWebSocketFrame close) {
      end(ctx, close.retain()).addListener(ChannelFutureListener.CLOSE);
    } else if (frame instanceof BinaryWebSocketFrame) {
      close(ctx, WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "text frames only");
    }
  }

  private void takeText(ChannelHandlerContext ctx, WebSocketFrame frame) {
    int sofar = fragments == null ? 0 : fragments.readableBytes();
    if (sofar + frame.content().readableBytes() > relay.limits().messageBytes()) {
      close(ctx, WebSocketCloseStatus.MESSAGE_TOO_BIG, "message too long");
    } else if (fragments == null && frame.isFinalFragment()) {
      receive(ctx, frame.content());
    } else {
      if (fragments == null) {
        fragments = ctx.alloc().buffer(frame.content().readableBytes());
      }
      fragments.writeBytes(frame.content());
      if (frame.isFinalFragment()) {
        ByteBuf whole = fragments;
        fragments = null;
        try {
          receive(ctx, whole);
        } finally {
          whole.release();
        }
      }
    }
  }

  private void receive(ChannelHandlerContext ctx, ByteBuf text) {
    byte[] bytes = ByteBufUtil.getBytes(text);
    ClientMessage message = relay.reader().read(bytes, bytes.length);
    if (message instanceof ClientMessage.NotText) {
      close(ctx, WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not UTF-8");
    } else {
      connection.receive(message);
    }
  }

  /** While the client does not read, only its newest ping is kept (RFC 6455, section 5.5.3). */
  private void pong(ChannelHandlerContext ctx, WebSocketFrame ping) {
    if (ctx.channel().isWritable()) {
      ctx.writeAndFlush(new PongWebSocketFrame(ping.content().retain()));
    } else {
      ReferenceCountUtil.release(unansweredPing);
      unansweredPing = ping.content().retain();
    }
  }

  /**
   * Says goodbye to the client of a channel, behind what it is still to be sent, but not later than
   * in a while. Any thread.
   */
  static void goAway(Channel channel) {
    channel
        .eventLoop()
        .execute(
            () -> {
              WebSocketHandler handler = channel.pipeline().get(WebSocketHandler.class);
              if (handler != null) {
                Goodbye goodbye = handler.new Goodbye(channel);
                channel.eventLoop().schedule(goodbye::goOn, LINGER_SECONDS, TimeUnit.SECONDS);
                handler.outbox.whenDrained(goodbye);
              }
            });
  }

  private final class Goodbye implements Outbox.Waiting {
    private final Channel channel;

    Goodbye(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void goOn() {
      if (!closing && channel.isActive()) {
        close(
            channel.pipeline().context(WebSocketHandler.this),
            WebSocketCloseStatus.ENDPOINT_UNAVAILABLE,
            "");
      }
    }

    @Override
    public boolean isOver() {
      return false;
    }
  }

  /**
   * Closes from this side. What the client is still sending is read and dropped for a while: an
   * unread byte would turn the end into a reset, and the client would not see the code.
   */
  private void close(ChannelHandlerContext ctx, WebSocketCloseStatus status, String why) {
    end(ctx, new CloseWebSocketFrame(status, why))
        .addListener(
            sent -> {
              ctx.channel().config().setAutoRead(true);
              ((DuplexChannel) ctx.channel()).shutdownOutput();
            });
  }

  private ChannelFuture end(ChannelHandlerContext ctx, CloseWebSocketFrame frame) {
    closing = true;
    ctx.executor().schedule(() -> ctx.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    outbox.drain();
    outbox.close();
    connection.close();
    return ctx.writeAndFlush(frame);
  }

  /**
   * Nothing was heard for a while: asks whether the client is still there, and the next time ends
   * it, unless the question is still behind much else that the client is taking, or the relay has
   * not been reading.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (!(event instanceof IdleStateEvent idle)) {
      ctx.fireUserEventTriggered(event);
    } else if (!closing && ctx.channel().config().isAutoRead()) {
      boolean reads = backlogAtPing && outbox.drainedBytes() > drainedAtPing;
      if (idle.isFirst() || reads) {
        drainedAtPing = outbox.drainedBytes();
        backlogAtPing = outbox.waitingBytes() > 0 || !ctx.channel().isWritable();
        ctx.writeAndFlush(new PingWebSocketFrame());
      } else {
        ctx.close();
      }
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      if (unansweredPing != null && !closing) {
        ctx.writeAndFlush(new PongWebSocketFrame(unansweredPing));
        unansweredPing = null;
      }
      outbox.drain();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    ReferenceCountUtil.release(fragments);
    ReferenceCountUtil.release(unansweredPing);
    fragments = null;
    unansweredPing = null;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    outbox.close();
    connection.close();
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof CorruptedWebSocketFrameException corrupted) {
      if (!closing) {
        close(ctx, corrupted.closeStatus(), "");
      }
    } else {
      if (Errors.fatalIn(cause) != null) {
        relay.onDeath().accept(cause);
      } else if (cause instanceof OutOfMemoryError) {
        LOG.warn("No buffer for what a client sends; it is disconnected");
      } else if (!(cause instanceof IOException)) {
        LOG.error("A connection failed; this is a bug", cause);
      }
      ctx.close();
    }
  }
}
