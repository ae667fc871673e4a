package gambit.core.net;

import gambit.core.session.Connection;
import gambit.core.session.Peer;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import java.time.Instant;

/** Handles the messages of one WebSocket. On the channel's event loop. */
interface Conversation {

  interface Factory {
    /**
     * Creates the conversation of a channel whose handshake is being sent.
     *
     * @param reading is paused while too much is under way
     * @param outbox sends frames to the client
     */
    Conversation over(
        Channel channel, Connection.ReadControl reading, Peer client, WebSocketOutbox outbox);
  }

  /** Called once, before the first message or soon after the handshake. */
  void begin();

  /**
   * Handles a text message that is not yet known to be UTF-8.
   *
   * @param buffer begins with the message; the caller reuses it
   * @param length of the message, in bytes
   * @param arrivedAt when its last byte was read from the socket; it may have been deferred since
   * @throws CorruptedWebSocketFrameException to close the connection with a code
   */
  void text(byte[] buffer, int length, Instant arrivedAt);

  /**
   * Handles a binary message, in a buffer as in {@link #text}.
   *
   * @throws CorruptedWebSocketFrameException to close the connection with a code
   */
  void binary(byte[] buffer, int length);

  /** Called when the client is gone or is being disconnected, perhaps more than once. */
  void end();
}
