package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import io.netty.buffer.ByteBuf;
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

/**
 * A client of the relay: one WebSocket, with a frame loop of its own in place of a {@link
 * RelaySession}, so that a measurement contains the relay's time and as little as possible of the
 * client's. Its listener is called on its event loop; other methods may be called by any thread.
 */
final class BenchClient extends SimpleChannelInboundHandler<WebSocketFrame> {
  private final Channel channel;
  private final CompletableFuture<BenchClient> ready;
  private volatile Listener listener = message -> {};
  private volatile boolean isClosing;

  /** Receives what arrives, on the event loop. */
  interface Listener {
    /** A message, which is released after the call. */
    void received(Message message);

    /** The relay has closed the connection, or it is lost. */
    default void ended(String reason) {}
  }

  BenchClient(Channel channel, CompletableFuture<BenchClient> ready) {
    this.channel = channel;
    this.ready = ready;
  }

  /** Replaces the listener. */
  void listen(Listener to) {
    listener = to;
  }

  /** Sends a text. */
  void send(String text) {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a text in UTF-8. */
  void send(byte[] text) {
    channel.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(text)));
  }

  /** Sends a ping; the listener receives the {@link Message.Verb#PONG}. */
  void ping() {
    channel.writeAndFlush(new PingWebSocketFrame());
  }

  /** Reads nothing more, as a client that does not keep up. */
  void stopReading() {
    channel.config().setAutoRead(false);
  }

  /** Whether the connection is open. */
  boolean isOpen() {
    return channel.isOpen();
  }

  /** Closes the connection, and waits until it is closed here; not on the event loop. */
  void close() {
    beginClosing();
    channel.closeFuture().awaitUninterruptibly();
  }

  /** Closes the connection without waiting. */
  void beginClosing() {
    isClosing = true;
    channel.close();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
    if (frame instanceof PongWebSocketFrame) {
      listener.received(Message.pong(frame.content()));
    } else if (frame instanceof TextWebSocketFrame) {
      ByteBuf text = frame.content();
      listener.received(Message.of(text));
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
      ready.complete(this);
    }
    super.userEventTriggered(context, event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ready.completeExceptionally(new RelayFailure("The relay closed the connection."));
    if (!isClosing) {
      listener.ended("The relay closed the connection.");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    ready.completeExceptionally(cause);
    if (!isClosing) {
      listener.ended("The connection to the relay is lost: " + cause.getMessage() + ".");
    }
    isClosing = true;
    context.close();
  }
}
