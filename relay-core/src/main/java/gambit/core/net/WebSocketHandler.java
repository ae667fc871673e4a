package gambit.core.net;

import gambit.core.rate.ClientAddress;
import gambit.core.session.Limit;
import gambit.core.session.Outbox;
import gambit.core.wire.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * WebSocket frames of one channel ↔ a {@link Conversation} (RFC 6455): makes messages of frames,
 * answers pings, closes with the right code. On the channel's event loop.
 */
final class WebSocketHandler extends SimpleChannelInboundHandler<WebSocketFrame> {
  private static final Logger LOG = LoggerFactory.getLogger(WebSocketHandler.class);

  /** The highest close code that there is (RFC 6455, section 7.4.2). */
  private static final int LAST_CLOSE_CODE = 4999;

  /** How many bytes of a goodbye are its code. */
  private static final int CODE = 2;

  /**
   * Bytes of messages that are handled before it is the turn of the others of the event loop: what
   * is read at once may become thousands of times as much when it is inflated.
   */
  private static final int TURN = 256 * 1024;

  private final Endpoint endpoint;
  private final WebSocketOutbox outbox;
  private final ChannelReadControl reading;
  private final Conversation conversation;
  private final FrameDecoder decoder;
  private final MessageAssembly message;
  private final IncompleteMessageBytes unfinished;
  private DeferredMessages.@Nullable Rest rest; // while something of what was read is left
  private int handled; // bytes of messages in this turn
  private @Nullable ByteBuf unansweredPing;
  private boolean asksSoon; // whether a ping waits for the end of a frame
  private long drainedAtPing;
  private boolean backlogAtPing;
  private @Nullable CloseCause ending;

  /**
   * Speaks over a channel whose handshake is on its way.
   *
   * @param decoder makes the frames that come
   * @param compress whether compression was negotiated
   */
  WebSocketHandler(
      Channel channel,
      Endpoint endpoint,
      ClientAddress client,
      FrameDecoder decoder,
      boolean compress) {
    this.endpoint = endpoint;
    this.decoder = decoder;
    this.outbox =
        new WebSocketOutbox(
            channel,
            compress ? FrameEncoding.COMPRESSED : FrameEncoding.PLAIN,
            endpoint.bounds().limits().get(Limit.OUTBOX_BYTES),
            endpoint.bounds().outboxes(),
            endpoint.lifecycle().time());
    this.reading = new ChannelReadControl(channel, endpoint.lifecycle().ending());
    this.conversation = endpoint.conversations().over(channel, reading, client, outbox);
    this.message =
        new MessageAssembly(endpoint.bounds().limits().get(Limit.MESSAGE_BYTES), compress);
    this.unfinished = new IncompleteMessageBytes(channel, endpoint.bounds().unfinished());
  }

  /** The handshake is done. On the event loop. */
  void begin() {
    endpoint.channels().metrics().opened();
    conversation.begin();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
    if (ending != null) {
      return;
    }
    if (!message.mayHaveBits(frame)) {
      close(ctx, WebSocketCloseStatus.PROTOCOL_ERROR, "reserved bits");
    } else if (frame instanceof PingWebSocketFrame) {
      pong(ctx, frame);
    } else if (frame instanceof CloseWebSocketFrame goodbye) {
      answer(ctx, goodbye);
    } else if (!(frame instanceof PongWebSocketFrame)) {
      receive(ctx, frame);
    }
  }

  private void receive(ChannelHandlerContext ctx, WebSocketFrame frame) {
    byte[] whole = message.add(frame);
    if (whole == null) {
      return;
    }
    if (message.isBinary()) {
      conversation.binary(whole);
    } else {
      conversation.text(whole, decoder.readAt());
    }
    handled += whole.length;
    if (handled >= TURN && !endpoint.lifecycle().ending().get()) {
      rest(ctx);
    }
  }

  /**
   * The others' turn: they are read before what is scheduled is done, but behind what is executed.
   * Not when the relay ends, as what was read is to be handed on by then.
   */
  private void rest(ChannelHandlerContext ctx) {
    decoder.setWaiting(true);
    reading.rest();
    if (rest == null) {
      rest = endpoint.channels().resting().begin(ctx.executor());
    }
    ctx.executor().schedule(() -> goOn(ctx), 0, TimeUnit.NANOSECONDS);
  }

  /** Looks at what is left of the last turn, as if it had just come. */
  private void goOn(ChannelHandlerContext ctx) {
    if (ctx.channel().isActive()) {
      handled = 0;
      decoder.setWaiting(false);
      ctx.pipeline().fireChannelRead(Unpooled.EMPTY_BUFFER);
      if (!decoder.isWaiting()) {
        endRest();
        reading.wake();
      }
      ctx.pipeline().fireChannelReadComplete();
    }
  }

  private void endRest() {
    if (rest != null) {
      endpoint.channels().resting().end(rest);
      rest = null;
    }
  }

  /** What is held of a message that is not whole is known when all that has come is looked at. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!decoder.isWaiting()) {
      handled = 0;
    }
    if (ending == null) {
      unfinished.hold(decoder.heldBytes() + message.heldBytes());
    }
    ctx.fireChannelReadComplete();
  }

  /** While the client does not read, only its newest ping is kept (RFC 6455, section 5.5.3). */
  private void pong(ChannelHandlerContext ctx, WebSocketFrame ping) {
    ReferenceCountUtil.release(unansweredPing);
    unansweredPing = ping.content().retain();
    writeControls(ctx);
  }

  /** Sends what may stand between two frames only. */
  private void writeControls(ChannelHandlerContext ctx) {
    if (ending != null || !outbox.isBetweenFrames()) {
      return;
    }
    if (asksSoon) {
      asksSoon = false;
      ctx.writeAndFlush(new PingWebSocketFrame());
    }
    ByteBuf ping = unansweredPing;
    if (ping != null && ctx.channel().isWritable()) {
      unansweredPing = null;
      ctx.writeAndFlush(new PongWebSocketFrame(ping));
    }
  }

  /** Returns the client's goodbye (RFC 6455, section 5.5.1). */
  private void answer(ChannelHandlerContext ctx, CloseWebSocketFrame goodbye) {
    if (goodbye.statusCode() > LAST_CLOSE_CODE) {
      close(ctx, WebSocketCloseStatus.PROTOCOL_ERROR, "no such close code");
    } else if (!hasReasonInUtf8(goodbye)) {
      close(ctx, WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not UTF-8");
    } else {
      end(ctx, goodbye.retain(), CloseCause.CLIENT).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Netty's check lets a reason end in the middle of a character. */
  private static boolean hasReasonInUtf8(CloseWebSocketFrame goodbye) {
    byte[] payload = ByteBufUtil.getBytes(goodbye.content());
    int reason = Math.min(CODE, payload.length);
    return Utf8.validPrefixEnd(payload, reason, payload.length) == payload.length;
  }

  /**
   * Says goodbye to the client of a channel, behind what it is still to be sent, but not later than
   * in a while. Any thread.
   */
  static void goodbye(Channel channel, WebSocketCloseStatus status) {
    channel
        .eventLoop()
        .execute(
            () -> {
              WebSocketHandler handler = channel.pipeline().get(WebSocketHandler.class);
              if (handler != null) {
                Goodbye goodbye = handler.new Goodbye(channel, status);
                channel
                    .eventLoop()
                    .schedule(goodbye::goOn, LingeringClose.SECONDS, TimeUnit.SECONDS);
                handler.outbox.whenDrained(goodbye);
              }
            });
  }

  private final class Goodbye implements Outbox.Waiting {
    private final Channel channel;
    private final WebSocketCloseStatus status;

    Goodbye(Channel channel, WebSocketCloseStatus status) {
      this.channel = channel;
      this.status = status;
    }

    @Override
    public void goOn() {
      if (ending == null && channel.isActive()) {
        close(channel.pipeline().context(WebSocketHandler.this), status, "");
      }
    }

    @Override
    public boolean isOver() {
      return false;
    }
  }

  /** Closes from this side. */
  private void close(ChannelHandlerContext ctx, WebSocketCloseStatus status, String why) {
    end(ctx, new CloseWebSocketFrame(status, why), CloseCause.of(status))
        .addListener(sent -> LingeringClose.close(ctx.channel()));
  }

  private ChannelFuture end(ChannelHandlerContext ctx, CloseWebSocketFrame frame, CloseCause why) {
    ending = why;
    ctx.executor().schedule(() -> ctx.close(), LingeringClose.SECONDS, TimeUnit.SECONDS);
    outbox.drain();
    outbox.finishFrame();
    release(why);
    return ctx.writeAndFlush(frame);
  }

  /** Gives back what is kept for the client. */
  private void release(CloseCause why) {
    decoder.stop();
    endRest();
    message.forget();
    outbox.close(why);
    unfinished.close();
    conversation.end();
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
    } else if (ending == null && ctx.channel().config().isAutoRead()) {
      boolean reads = backlogAtPing && outbox.drainedBytes() > drainedAtPing;
      if (idle.isFirst() || reads) {
        drainedAtPing = outbox.drainedBytes();
        backlogAtPing = outbox.heldBytes() > 0 || !ctx.channel().isWritable();
        asksSoon = true;
        writeControls(ctx);
      } else {
        ending = CloseCause.SILENT;
        ctx.close();
      }
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      writeControls(ctx);
      outbox.drain();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    outbox.setBetweenFrames(() -> writeControls(ctx));
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    ReferenceCountUtil.release(unansweredPing);
    unansweredPing = null;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    CloseCause sending = outbox.ending();
    CloseCause why = ending != null ? ending : sending != null ? sending : CloseCause.VANISHED;
    release(why);
    endpoint.channels().metrics().closed(why);
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof CorruptedWebSocketFrameException corrupted) {
      if (ending == null) {
        close(ctx, corrupted.closeStatus(), String.valueOf(corrupted.getMessage()));
      }
      return;
    }
    if (FatalErrors.fatalIn(cause) != null) {
      endpoint.lifecycle().onDeath().accept(cause);
    } else if (cause instanceof OutOfMemoryError) {
      LOG.warn("No buffer for what a client sends; it is disconnected");
      ending = CloseCause.BUFFERS;
    } else if (!(cause instanceof IOException)) {
      LOG.error("A connection failed; this is a bug", cause);
      ending = CloseCause.ERROR;
    }
    ctx.close();
  }
}
