package gambit.core.net;

import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.limit.MemoryBound;
import gambit.core.session.Conversation;
import gambit.core.testkit.TestMetrics;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import java.net.BindException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Stream;

/** A server that sends any bytes: a hostile relay for tests of clients. */
public final class AnsweringServer implements AutoCloseable {
  private final RelayServer server;

  /**
   * Listens on a free port.
   *
   * @param answers the frames sent for each received text, on the channel's event loop
   */
  public AnsweringServer(Function<String, Stream<String>> answers) {
    LimitValues limits = LimitValues.DEFAULT;
    Endpoint endpoint =
        Endpoints.of(
            (channel, reading, client, outbox) -> new Answering(channel, answers),
            limits,
            new MemoryBound(limits.get(Limit.MESSAGE_BYTES)),
            new TestMetrics(),
            Throwable::printStackTrace);
    try {
      server = Endpoints.listen(endpoint);
    } catch (BindException e) {
      throw new AssertionError(e);
    }
  }

  public URI uri() {
    return URI.create("ws://127.0.0.1:" + server.address().getPort() + "/");
  }

  @Override
  public void close() {
    server.close();
  }

  private record Answering(Channel channel, Function<String, Stream<String>> answers)
      implements Conversation {
    @Override
    public void begin() {
      channel.pipeline().addLast(new WebSocket13FrameEncoder(false));
    }

    @Override
    public boolean text(byte[] buffer, int length, Instant arrivedAt) {
      answers
          .apply(new String(buffer, 0, length, StandardCharsets.UTF_8))
          .forEach(answer -> channel.writeAndFlush(new TextWebSocketFrame(answer)));
      return true;
    }

    @Override
    public boolean binary(byte[] buffer, int length) {
      return true;
    }

    @Override
    public void end() {}
  }
}
