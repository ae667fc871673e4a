package gambit.core.net;

import gambit.core.feature.ConnectedClient;
import gambit.core.limit.Limit;
import gambit.core.limit.MemoryBound;
import gambit.core.log.LimitedLog;
import gambit.core.net.EventLoops.FatalErrors;
import gambit.core.net.ServerMetrics.CloseCause;
import gambit.core.rate.ClientAddress;
import gambit.core.session.Connection;
import gambit.core.session.Conversation;
import gambit.core.session.Outbox;
import gambit.core.session.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundInvoker;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * WebSocket frames of one channel ↔ a {@link Conversation} (RFC 6455): assembles messages, passes
 * control frames to {@link ControlFrames}, and closes with the code that the cause requires. On the
 * channel's event loop.
 */
final class WebSocketHandler extends SimpleChannelInboundHandler<WebSocketFrame>
    implements Connection.ReadControl {
  private static final LimitedLog LOG = LimitedLog.of(WebSocketHandler.class);

  /** The highest close code that is defined (RFC 6455, section 7.4.2). */
  private static final int MAX_CLOSE_CODE = 4999;

  /**
   * Bytes of messages that are handled in one turn; then the event loop serves its other channels.
   * Compressed input can inflate to a thousand times as much.
   */
  private static final int TURN_BYTES = 256 * 1024;

  /**
   * How long nothing follows the answer to the handshake. Some clients drop the bytes that they
   * read together with it: of go-nostr 0.38, all when both are sent at once, two in five when the
   * second segment is sent in the event loop's next turn, one in 600 after 20 ms.
   */
  private static final int GREETING_DELAY_MILLIS = 50;

  private final Channel channel;
  private final Endpoint endpoint;
  private final WebSocketOutbox outbox;
  private final ControlFrames controlFrames;
  private final Conversation conversation;
  private final FrameDecoder decoder;
  private final MessageAssembly message;
  private final @Nullable ClientAddress owner; // null for the operator
  private final IncompleteMessageBytes incompleteBytes;
  private int silentSeconds; // since the client was heard, or pinged
  private boolean isPinged; // since it was heard
  private Endpoint.DeferredMessages.@Nullable Deferral deferral; // while messages are deferred
  private boolean hasBegun; // the conversation
  private boolean isSentAway;
  private boolean isReadingPaused; // by the conversation
  private int handledBytes; // of messages in this turn
  private @Nullable CloseCause closeCause;

  /** The handshake of the channel is being sent; {@code compress} if compression was negotiated. */
  WebSocketHandler(
      Channel channel, Endpoint endpoint, Peer client, FrameDecoder decoder, boolean compress) {
    this.channel = channel;
    this.endpoint = endpoint;
    this.decoder = decoder;
    this.owner = client.isOperator() ? null : client.address();
    this.outbox =
        new WebSocketOutbox(
            channel,
            owner,
            compress ? FrameEncoding.COMPRESSED : FrameEncoding.PLAIN,
            endpoint.limits().of(Limit.OUTBOX_BYTES),
            endpoint.outboxes(),
            endpoint.lifecycle().time(),
            endpoint.metrics());
    this.controlFrames = new ControlFrames(outbox);
    this.conversation = endpoint.conversations().over(channel, this, client, outbox);
    this.incompleteBytes =
        new IncompleteMessageBytes(channel, owner, endpoint.incompleteMessages());
    this.message = new MessageAssembly(endpoint.limits().of(Limit.MESSAGE_BYTES), compress);
  }

  /** The handshake is answered. Soon, or with the first frame, the conversation begins. */
  void opened() {
    endpoint.metrics().opened.increment();
    channel.eventLoop().schedule(this::greet, GREETING_DELAY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Has the greeting written, if no answer to the client's first frame has been written yet. */
  private void greet() {
    begin();
    outbox.flush();
  }

  private void begin() {
    if (!hasBegun && outbox.isOpen()) {
      hasBegun = true;
      conversation.begin();
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
    if (closeCause != null) {
      return;
    }
    begin();
    if (!message.hasValidReservedBits(frame)) {
      close(ctx, WebSocketCloseStatus.PROTOCOL_ERROR, "reserved bits");
    } else if (frame instanceof PingWebSocketFrame ping) {
      controlFrames.answer(ctx, ping);
      outbox.flush(); // a client may ping to receive the greeting at once
    } else if (frame instanceof CloseWebSocketFrame close) {
      answer(ctx, close);
    } else if (!(frame instanceof PongWebSocketFrame)) {
      receive(ctx, frame);
    }
  }

  private void receive(ChannelHandlerContext ctx, WebSocketFrame frame) {
    MessageAssembly.Message whole = message.add(frame);
    if (whole == null) {
      return;
    }
    pass(whole);
    handledBytes += whole.length();
    if (handledBytes >= TURN_BYTES && !endpoint.lifecycle().ending().get()) {
      deferRest(ctx);
    }
  }

  private void pass(MessageAssembly.Message whole) {
    if (message.isBinary()) {
      if (!conversation.binary(whole.buffer(), whole.length())) {
        throw new CorruptedWebSocketFrameException(
            WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "text messages only");
      }
    } else if (isSentAway || (owner != null && endpoint.extensions().areCutOff())) {
      sendAway();
    } else if (!conversation.text(whole.buffer(), whole.length(), decoder.readAt())) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not UTF-8");
    }
  }

  /** Ends a connection to a node without its cluster, which would answer from old data. */
  private void sendAway() {
    if (!isSentAway) {
      isSentAway = true;
      closeAfterOutput(channel, WebSocketCloseStatus.TRY_AGAIN_LATER);
    }
  }

  /**
   * Defers the remaining messages. Scheduled tasks run after the event loop has read its other
   * channels, executed ones before. When the relay is ending nothing is deferred, because messages
   * that were read must be handled by then.
   */
  private void deferRest(ChannelHandlerContext ctx) {
    decoder.pause();
    channel.config().setAutoRead(false);
    if (deferral == null) {
      deferral = endpoint.deferred().begin(ctx.executor());
    }
    ctx.executor().schedule(() -> resume(ctx), 0, TimeUnit.NANOSECONDS);
  }

  /** Decodes the deferred bytes as if just decrypted: TLS would pass on no empty buffer. */
  private void resume(ChannelHandlerContext ctx) {
    if (channel.isActive()) {
      handledBytes = 0;
      decoder.resume();
      ChannelHandlerContext tls = ctx.pipeline().context(SslHandler.class);
      ChannelInboundInvoker beforeDecoder = tls == null ? ctx.pipeline() : tls;
      beforeDecoder.fireChannelRead(Unpooled.EMPTY_BUFFER);
      if (!decoder.isPaused()) {
        endDeferral();
        readIfAllowed();
      }
      beforeDecoder.fireChannelReadComplete();
    }
  }

  private void endDeferral() {
    if (deferral != null) {
      endpoint.deferred().end(deferral);
      deferral = null;
    }
  }

  /** The size of an incomplete message is known once everything that was read is decoded. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!decoder.isPaused()) {
      handledBytes = 0;
    }
    silentSeconds = 0;
    isPinged = false;
    if (closeCause == null) {
      incompleteBytes.set(decoder.heldBytes() + message.heldBytes());
    }
    ctx.fireChannelReadComplete();
  }

  private void sendControlFrames(ChannelHandlerContext ctx) {
    if (closeCause == null) {
      controlFrames.send(ctx);
    }
  }

  private void answer(ChannelHandlerContext ctx, CloseWebSocketFrame close) {
    if (close.statusCode() > MAX_CLOSE_CODE) {
      close(ctx, WebSocketCloseStatus.PROTOCOL_ERROR, "no such close code");
    } else if (!ControlFrames.hasReasonInUtf8(close.content())) {
      close(ctx, WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not UTF-8");
    } else {
      end(ctx, ControlFrames.close(close.content()), CloseCause.CLIENT)
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  /**
   * Closes a client's channel with that status, after its queued frames are sent, or after {@link
   * Clients#CLOSE_SECONDS}. Any thread.
   */
  static void closeAfterOutput(Channel channel, WebSocketCloseStatus status) {
    channel
        .eventLoop()
        .execute(
            () -> {
              WebSocketHandler handler = channel.pipeline().get(WebSocketHandler.class);
              if (handler != null) {
                Outbox.WaitingTask close = () -> closeAtOnce(channel, status, "");
                channel
                    .eventLoop()
                    .schedule(close::resume, Clients.CLOSE_SECONDS, TimeUnit.SECONDS);
                handler.outbox.whenDrained(close);
              }
            });
  }

  /** The client of a channel; null for the operator, or once it is gone. Any thread. */
  static @Nullable ConnectedClient describe(Channel channel) {
    WebSocketHandler handler = channel.pipeline().get(WebSocketHandler.class);
    return handler == null || handler.owner == null
        ? null
        : handler.conversation.describe(handler.outbox.heldBytes());
  }

  /** Closes at once: frames that do not fit the socket are dropped. On the event loop. */
  static void closeAtOnce(Channel channel, WebSocketCloseStatus status, String reason) {
    WebSocketHandler handler = channel.pipeline().get(WebSocketHandler.class);
    if (handler != null && handler.closeCause == null && channel.isActive()) {
      handler.close(channel.pipeline().context(handler), status, reason);
    }
  }

  private void close(ChannelHandlerContext ctx, WebSocketCloseStatus status, String reason) {
    end(ctx, ControlFrames.close(status, reason), CloseCause.of(status))
        .addListener(sent -> Clients.closeAfterLastMessage(channel));
  }

  private ChannelFuture end(ChannelHandlerContext ctx, ByteBuf frame, CloseCause cause) {
    closeCause = cause;
    ctx.executor().schedule(() -> ctx.close(), Clients.CLOSE_SECONDS, TimeUnit.SECONDS);
    outbox.drain();
    outbox.finishFrame();
    release(cause);
    return ctx.writeAndFlush(frame);
  }

  private void release(CloseCause cause) {
    decoder.stop();
    endDeferral();
    message.clear();
    outbox.close(cause);
    incompleteBytes.close();
    conversation.end();
  }

  /** Some seconds have passed for the client of a channel. On the event loop. */
  static void passed(Channel channel, int seconds) {
    ChannelHandlerContext ctx = channel.pipeline().context(WebSocketHandler.class);
    if (ctx != null) {
      ((WebSocketHandler) ctx.handler()).passed(ctx, seconds);
    }
  }

  /**
   * Pings a silent client, then closes; not while the relay does not read. The first call may
   * follow at once after the client was heard, so that silence is known one call later.
   */
  private void passed(ChannelHandlerContext ctx, int seconds) {
    silentSeconds += seconds;
    if (silentSeconds < endpoint.limits().get(Limit.SILENT_SECONDS) + seconds) {
      return;
    }
    silentSeconds = seconds;
    if (closeCause == null && channel.config().isAutoRead()) {
      if (!controlFrames.ping(ctx, !isPinged)) {
        closeCause = CloseCause.SILENT;
        ctx.close();
      }
      isPinged = true;
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (channel.isWritable()) {
      sendControlFrames(ctx);
      outbox.drain();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    outbox.writer().setBetweenFrames(() -> sendControlFrames(ctx));
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    controlFrames.release();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    CloseCause byOutbox = outbox.closeCause();
    CloseCause cause =
        closeCause != null ? closeCause : byOutbox != null ? byOutbox : CloseCause.VANISHED;
    release(cause);
    endpoint.metrics().closed(cause);
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof CorruptedWebSocketFrameException corrupted) {
      if (closeCause == null) {
        close(ctx, corrupted.closeStatus(), String.valueOf(corrupted.getMessage()));
      }
      return;
    }
    if (FatalErrors.fatalIn(cause) != null) {
      endpoint.lifecycle().onDeath().accept(cause);
    } else if (cause instanceof OutOfMemoryError) {
      LOG.warn("No buffer memory for a client's input; the client is disconnected");
      closeCause = CloseCause.BUFFERS;
    } else if (!(cause instanceof IOException || cause.getCause() instanceof IOException)) {
      LOG.error("A connection failed; this is a bug", cause);
      closeCause = CloseCause.ERROR;
    }
    ctx.close();
  }

  @Override
  public void pause() {
    isReadingPaused = true;
    channel.config().setAutoRead(false);
  }

  @Override
  public void resume() {
    isReadingPaused = false;
    readIfAllowed();
  }

  /**
   * Reads the channel: not while its connection has paused it, nor while messages that were read
   * are deferred; not again once the relay is ending.
   */
  private void readIfAllowed() {
    if (!isReadingPaused && deferral == null && !endpoint.lifecycle().ending().get()) {
      channel.config().setAutoRead(true);
    }
  }

  /** The bytes of an incomplete message, bounded for all clients. Set on the event loop. */
  static final class IncompleteMessageBytes implements MemoryBound.Holder {
    private final Channel channel;
    private final Object owner;
    private final MemoryBound all;
    private volatile int bytes;
    private volatile boolean open = true;

    IncompleteMessageBytes(Channel channel, @Nullable ClientAddress owner, MemoryBound all) {
      this.channel = channel;
      this.owner = owner == null ? this : owner;
      this.all = all;
    }

    /** It is among the holders while it has bytes. */
    void set(int now) {
      int before = bytes;
      int more = now - before;
      bytes = now;
      if (before == 0 && now > 0) {
        all.add(this);
      } else if (before > 0 && now == 0) {
        all.remove(this);
      }
      if (more > 0) {
        all.reserve(more);
      } else if (more < 0) {
        all.release(-more);
      }
    }

    void close() {
      open = false;
      set(0);
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public long heldBytes() {
      return bytes;
    }

    @Override
    public Object owner() {
      return owner;
    }

    @Override
    public void disconnect() {
      open = false;
      closeAfterOutput(channel, WebSocketCloseStatus.TRY_AGAIN_LATER);
    }
  }
}
