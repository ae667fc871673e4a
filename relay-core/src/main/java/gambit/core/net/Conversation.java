package gambit.core.net;

import gambit.core.feature.ConnectedClient;
import gambit.core.session.Connection;
import gambit.core.session.Peer;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Handles the messages of one WebSocket. On the channel's event loop. */
interface Conversation {

  interface Factory {
    /** The handshake of the channel is being sent. */
    Conversation over(
        Channel channel, Connection.ReadControl reading, Peer client, WebSocketOutbox outbox);
  }

  /**
   * Called once, before the first message or soon after the handshake. The caller flushes the
   * outbox a little later, so that a greeting is written with the first answer.
   */
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

  /** Handles a binary message, in a buffer as in {@link #text}. */
  default void binary(byte[] buffer, int length) {
    throw new CorruptedWebSocketFrameException(
        WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "text messages only");
  }

  /** The client, for which so many bytes wait; null if it cannot be described. Any thread. */
  default @Nullable ConnectedClient describe(long outboxBytes) {
    return null;
  }

  /** Called when the client is gone or is being disconnected, perhaps more than once. */
  void end();
}
