package gambit.app.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A client of the relay: one WebSocket. Its listener is called on its event loop. */
final class LoadClient extends SimpleChannelInboundHandler<WebSocketFrame> {
  private static final ByteBuf ID =
      Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("\"id\":\"", StandardCharsets.US_ASCII));

  private static final int ID_LENGTH = 64;

  /** The position of {@code true} or {@code false} in {@code ["OK","…",true,""]}. */
  private static final int VERDICT = 7 + ID_LENGTH + 2;

  /** The position of the reason, relative to {@code false}. */
  private static final int REASON = 7;

  private final Channel channel;
  private final CompletableFuture<LoadClient> ready;
  private volatile Listener listener = (verb, text) -> {};

  /** The verb of a message, recognized by its first letters; listeners do not receive OTHER. */
  enum Verb {
    EVENT,
    OK,
    EOSE,
    CLOSED,
    NOTICE,
    PONG,
    OTHER;

    static Verb of(ByteBuf text) {
      int at = text.readerIndex() + 2;
      return switch (text.getByte(at)) {
        case 'E' -> text.getByte(at + 1) == 'V' ? EVENT : EOSE;
        case 'O' -> OK;
        case 'C' -> text.getByte(at + 1) == 'L' ? CLOSED : OTHER;
        case 'N' -> NOTICE;
        default -> OTHER;
      };
    }
  }

  /** Receives messages; the text is released after the call. */
  interface Listener {
    void received(Verb verb, ByteBuf text);
  }

  LoadClient(Channel channel, CompletableFuture<LoadClient> ready) {
    this.channel = channel;
    this.ready = ready;
  }

  /** Replaces the listener. */
  void listen(Listener to) {
    listener = to;
  }

  void send(String text) {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  void send(byte[] text) {
    channel.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(text)));
  }

  void ping() {
    channel.writeAndFlush(new PingWebSocketFrame());
  }

  /** Whether the socket accepts more bytes without queueing. */
  boolean isWritable() {
    return channel.isWritable();
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  void stopReading() {
    channel.config().setAutoRead(false);
  }

  void close() {
    channel.close().awaitUninterruptibly();
  }

  /** Whether an OK acknowledges the event as stored, or as a {@code duplicate:}. */
  static boolean isSettled(ByteBuf ok) {
    int at = ok.readerIndex() + VERDICT;
    return ok.getByte(at) == 't' || ok.getByte(at + REASON) == 'd';
  }

  /** The id of the event in an EVENT. */
  static String eventId(ByteBuf text) {
    int at = ByteBufUtil.indexOf(ID, text) + ID.readableBytes();
    return text.toString(text.readerIndex() + at, ID_LENGTH, StandardCharsets.US_ASCII);
  }

  /** The name of the subscription, which follows the verb. */
  static String name(ByteBuf text) {
    return text.toString(StandardCharsets.UTF_8).split("\"", 5)[3];
  }

  /** The failure of a measurement because of an unexpected message. */
  static IllegalStateException unexpected(ByteBuf text) {
    return new IllegalStateException(
        "unexpected message: " + text.toString(StandardCharsets.UTF_8));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
    if (frame instanceof PongWebSocketFrame) {
      listener.received(Verb.PONG, frame.content());
    } else if (frame instanceof TextWebSocketFrame) {
      Verb verb = Verb.of(frame.content());
      if (verb != Verb.OTHER) {
        listener.received(verb, frame.content());
      }
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
      ready.complete(this);
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ready.completeExceptionally(cause);
    ctx.close();
  }
}
