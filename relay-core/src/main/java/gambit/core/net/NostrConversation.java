package gambit.core.net;

import gambit.core.session.Connection;
import gambit.core.session.Outbox;
import gambit.core.session.Peer;
import gambit.core.session.RelayCore;
import gambit.core.wire.ClientMessage;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.time.Instant;

/** Passes a client's text messages to its {@link Connection}. */
final class NostrConversation implements Conversation {
  private final RelayCore relay;
  private final Connection connection;

  NostrConversation(
      RelayCore relay, Channel channel, ChannelReadControl reading, Peer client, Outbox outbox) {
    this.relay = relay;
    this.connection = new Connection(relay, client, outbox, reading, channel.eventLoop());
  }

  @Override
  public void begin() {
    connection.greet();
  }

  @Override
  public void text(byte[] buffer, int length, Instant arrivedAt) {
    long start = System.nanoTime();
    ClientMessage read = relay.reader().read(buffer, length);
    relay.metrics().parsed(start);
    if (read instanceof ClientMessage.NotText) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not UTF-8");
    }
    connection.receive(read, arrivedAt);
  }

  @Override
  public void binary(byte[] buffer, int length) {
    throw new CorruptedWebSocketFrameException(
        WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "text messages only");
  }

  @Override
  public void end() {
    connection.close();
  }
}
