package gambit.core.net;

import gambit.core.rate.ClientAddress;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import java.time.Instant;

/** What is said over one WebSocket, message by message. On the channel's event loop. */
interface Conversation {

  /** Begins conversations. */
  interface Factory {
    /**
     * A conversation over a channel whose handshake is on its way.
     *
     * @param reading to be paused while too much is under way
     * @param outbox takes what is said to the client
     */
    Conversation over(
        Channel channel, ChannelReadControl reading, ClientAddress client, WebSocketOutbox outbox);
  }

  /** The handshake is done. */
  void begin();

  /**
   * The client has sent a text, which nobody has checked to be UTF-8.
   *
   * @param arrivedAt when the last of its bytes was read from the socket, however long it has
   *     waited for its turn since
   * @throws CorruptedWebSocketFrameException to close the connection with a code
   */
  void text(byte[] message, Instant arrivedAt);

  /**
   * The client has sent a binary message.
   *
   * @throws CorruptedWebSocketFrameException to close the connection with a code
   */
  void binary(byte[] message);

  /** The client is gone, or is being disconnected; may be called again. */
  void end();
}
