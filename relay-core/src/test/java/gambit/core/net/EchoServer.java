package gambit.core.net;

import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.limit.MemoryBound;
import gambit.core.session.Conversation;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestMetrics;
import gambit.core.wire.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The relay's transport with an echo instead of a relay, for WebSocket test suites such as
 * Autobahn. Compression is on, and messages may have 16 MB. It prints its URL and runs until it is
 * killed.
 */
final class EchoServer {
  private static final int MESSAGE = 16 << 20;

  private EchoServer() {}

  public static void main(String[] args) throws Exception {
    Endpoint endpoint = endpoint(MESSAGE, Throwable::printStackTrace);
    try (RelayServer server = Endpoints.listen(endpoint)) {
      System.out.println("listening on ws://127.0.0.1:" + server.address().getPort());
      new CountDownLatch(1).await();
    }
  }

  /** What channels work with that take messages so long. */
  static Endpoint endpoint(int message, Consumer<Throwable> onDeath) {
    LimitValues limits =
        TestLimits.builder()
            .set(Limit.MESSAGE_BYTES, message)
            .set(Limit.OUTBOX_BYTES, 4 * message)
            .set(Limit.ALL_OUTBOX_BYTES, 8L * message)
            .build();
    return Endpoints.of(
        (channel, reading, client, outbox) -> new Echo(channel, outbox),
        limits,
        new MemoryBound(4L * message),
        new TestMetrics(),
        onDeath);
  }

  /**
   * Says what it is told, compressed if that was agreed: a few bytes of it as an event's head is.
   */
  private record Echo(Channel channel, WebSocketOutbox outbox) implements Conversation {
    private static final int HEAD = 40;
    private static final int COMPRESSED = 4;

    @Override
    public void begin() {
      channel.pipeline().addLast(new WebSocket13FrameEncoder(false));
    }

    @Override
    public boolean text(byte[] buffer, int length, Instant arrivedAt) {
      byte[] message = Arrays.copyOf(buffer, length);
      if (!Utf8.isValid(message, message.length)) {
        return false;
      }
      if (outbox.writer().encoding() == FrameEncoding.PLAIN) {
        channel.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(message)));
        return true;
      }
      int cut = Math.min(HEAD, message.length);
      byte[] head = Arrays.copyOf(message, cut);
      byte[] rest = Arrays.copyOfRange(message, cut, message.length);
      ByteBuf out = channel.alloc().buffer();
      FrameEncoding.writeCompressed(out, head, Compression.deflate(rest));
      channel.writeAndFlush(out);
      return true;
    }

    @Override
    public boolean binary(byte[] buffer, int length) {
      byte[] message = Arrays.copyOf(buffer, length);
      boolean plain = outbox.writer().encoding() == FrameEncoding.PLAIN;
      byte[] sent = plain ? message : Compression.deflate(message);
      channel.writeAndFlush(
          new BinaryWebSocketFrame(true, plain ? 0 : COMPRESSED, Unpooled.wrappedBuffer(sent)));
      return true;
    }

    @Override
    public void end() {}
  }
}
