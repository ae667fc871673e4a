package gambit.core.net;

import gambit.core.feature.ConnectedClient;
import gambit.core.session.Connection;
import gambit.core.session.Outbox;
import gambit.core.session.Peer;
import gambit.core.session.RelayCore;
import gambit.core.wire.ClientMessage;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes a client's text messages to its {@link Connection}. While this node is cut off from the
 * others of its cluster, a message ends the connection: a query would be answered from old data.
 */
final class NostrConversation implements Conversation {
  private final RelayCore relay;
  private final Channel channel;
  private final Connection connection;
  private final @Nullable BooleanSupplier isCutOff; // null for a client that is served all the same
  private boolean isSentAway;

  /** {@code isCutOff} is null for a relay that has no cluster. */
  NostrConversation(
      RelayCore relay,
      Channel channel,
      Connection.ReadControl reading,
      Peer client,
      Outbox outbox,
      @Nullable BooleanSupplier isCutOff) {
    this.relay = relay;
    this.channel = channel;
    this.connection = new Connection(relay, client, outbox, reading, channel.eventLoop());
    this.isCutOff = client.isOperator() ? null : isCutOff;
  }

  @Override
  public void begin() {
    connection.greet();
  }

  @Override
  public void text(byte[] buffer, int length, Instant arrivedAt) {
    if (isCutOff != null && (isSentAway || isCutOff.getAsBoolean())) {
      sendAway();
      return;
    }
    long start = System.nanoTime();
    ClientMessage read = relay.reader().read(buffer, length);
    relay.metrics().parsed(start);
    if (read instanceof ClientMessage.NotText) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not UTF-8");
    }
    connection.receive(read, arrivedAt);
  }

  private void sendAway() {
    if (!isSentAway) {
      isSentAway = true;
      WebSocketHandler.closeAfterOutput(channel, WebSocketCloseStatus.TRY_AGAIN_LATER);
    }
  }

  @Override
  public ConnectedClient describe(long outboxBytes) {
    return connection.describe(outboxBytes);
  }

  @Override
  public void end() {
    connection.close();
  }
}
