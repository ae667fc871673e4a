package gambit.app.tool.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection of a client. It delivers the messages of one reading for each {@link
 * #requestAll}, and none of more than {@link #MAX_MESSAGE_BYTES}; it reads from the network, and
 * notices the end, only while one is requested. It answers pings. Methods may be called by any
 * thread; the state belongs to the event loop.
 *
 * <p>Netty's client, because that of JDK 17 does not report the end of some lost connections.
 */
final class WebSocketConnection {
  private static final int MAX_MESSAGE_BYTES = 4_000_000;

  /** The bytes that may wait to be sent; beyond them, the connection ends. */
  private static final int MAX_UNSENT_BYTES = 8 << 20;

  private static final int MAX_HANDSHAKE_BYTES = 64 << 10;
  private static final int MAX_MESSAGES_OF_A_FLUSH = 256;
  private static final long CLOSE_TIMEOUT_MILLIS = 1000;
  static final String CLOSED = "The relay closed the connection.";

  private final Channel channel;
  private final Consumer<List<String>> received;
  private final Consumer<String> ended;
  private final CompletableFuture<WebSocketConnection> opened;
  private final Queue<String> waiting = new ArrayDeque<>();
  private boolean isRequested;
  private @Nullable String end;
  private boolean isEndDelivered;
  private volatile long lastReceivedNanos = System.nanoTime();

  private WebSocketConnection(
      Channel channel,
      Consumer<List<String>> received,
      Consumer<String> ended,
      CompletableFuture<WebSocketConnection> opened) {
    this.channel = channel;
    this.received = received;
    this.ended = ended;
    this.opened = opened;
  }

  /**
   * Connects to a relay; the timeout is for the connection and all handshakes together. If the
   * result fails, the consumers are not called; otherwise they are on the event loop, and must not
   * block: one takes the messages that have arrived together, the other, once and last, the reason
   * for the end.
   */
  static CompletableFuture<WebSocketConnection> open(
      RelayPlace relay, Duration timeout, Consumer<List<String>> received, Consumer<String> ended) {
    return RelayChannels.connect(
        relay,
        timeout,
        (made, opened) -> {
          WebSocketConnection connection = new WebSocketConnection(made, received, ended, opened);
          made.config()
              .setWriteBufferWaterMark(
                  new WriteBufferWaterMark(MAX_UNSENT_BYTES / 2, MAX_UNSENT_BYTES));
          made.pipeline()
              .addFirst(connection.new ReadControl())
              .addLast(
                  new FlushConsolidationHandler(MAX_MESSAGES_OF_A_FLUSH, true),
                  new HttpClientCodec(),
                  new HttpObjectAggregator(MAX_HANDSHAKE_BYTES),
                  new WebSocketClientProtocolHandler(config(relay, timeout)),
                  new WebSocketFrameAggregator(MAX_MESSAGE_BYTES),
                  connection.new FrameHandler());
        });
  }

  private static WebSocketClientProtocolConfig config(RelayPlace relay, Duration timeout) {
    HttpHeaders headers = new DefaultHttpHeaders().set(HttpHeaderNames.USER_AGENT, "Gambit");
    relay.headers().forEach(headers::set);
    return WebSocketClientProtocolConfig.newBuilder()
        .webSocketUri(relay.url())
        .customHeaders(headers)
        .generateOriginHeader(false) // only browsers have an origin
        .maxFramePayloadLength(MAX_MESSAGE_BYTES)
        .handshakeTimeoutMillis(timeout.toMillis())
        .handleCloseFrames(false) // FrameHandler answers them; Netty would not
        .sendCloseFrame(WebSocketCloseStatus.NORMAL_CLOSURE)
        .forceCloseTimeoutMillis(CLOSE_TIMEOUT_MILLIS)
        .build();
  }

  /** Requests the next message and those that arrive with it: about a megabyte, or a longer one. */
  void requestAll() {
    channel
        .eventLoop()
        .execute(
            () -> {
              isRequested = true;
              deliver();
              if (isRequested) {
                channel.read();
              }
            });
  }

  /** Sends a message after the earlier ones; the result fails if the connection has ended. */
  ChannelFuture send(String message) {
    return channel.writeAndFlush(new TextWebSocketFrame(message));
  }

  void ping() {
    channel.writeAndFlush(new PingWebSocketFrame());
  }

  Duration silence() {
    return Duration.ofNanos(System.nanoTime() - lastReceivedNanos);
  }

  /** Ends the connection, with a close frame if it can be sent within a second. */
  void close() {
    channel.close();
  }

  private void deliver() {
    if (isRequested && !waiting.isEmpty()) {
      isRequested = false;
      List<String> messages = List.copyOf(waiting);
      waiting.clear();
      received.accept(messages);
    }
    if (end != null && waiting.isEmpty() && !isEndDelivered) {
      isEndDelivered = true;
      ended.accept(end);
    }
  }

  private void end(String reason) {
    opened.completeExceptionally(new IOException(reason)); // no effect after the handshake
    if (end == null && !opened.isCompletedExceptionally()) {
      end = reason;
      deliver();
    }
    channel.close();
  }

  /**
   * The handler next to the network. It suppresses reads while a message waits: Netty's handlers
   * read more for each ping and for each incomplete message.
   */
  private final class ReadControl extends ChannelDuplexHandler {
    @Override
    public void read(ChannelHandlerContext context) {
      if (waiting.isEmpty()) {
        context.read();
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      lastReceivedNanos = System.nanoTime();
      context.fireChannelRead(bytes);
    }
  }

  private final class FrameHandler extends SimpleChannelInboundHandler<WebSocketFrame> {
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
        channel.config().setAutoRead(false);
        opened.complete(WebSocketConnection.this);
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
      if (frame instanceof CloseWebSocketFrame) {
        end(CLOSED);
      } else if (!(frame instanceof TextWebSocketFrame message)) {
        end("The relay sent a binary message.");
      } else if (end == null) {
        waiting.add(message.text());
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      deliver();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (!channel.isWritable()) {
        end("The relay does not read what this client sends.");
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      end(CLOSED);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      opened.completeExceptionally(failure); // during a handshake
      boolean isTooLong =
          failure instanceof TooLongFrameException
              || (failure instanceof CorruptedWebSocketFrameException corrupted
                  && WebSocketCloseStatus.MESSAGE_TOO_BIG.equals(corrupted.closeStatus()));
      end(
          isTooLong
              ? "The relay sent a message that is too long."
              : "The connection to the relay is lost.");
    }
  }
}
