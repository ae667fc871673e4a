package gambit.core.session;

import gambit.core.feature.ConnectedClient;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Handles the messages of one WebSocket. On the channel's event loop. */
public interface Conversation {
  /**
   * Called once, before the first message or soon after the handshake. The caller flushes the
   * outbox a little later, so that a greeting is written with the first answer.
   */
  void begin();

  /**
   * Handles the first {@code length} bytes of a buffer, which is reused, as a text message; false,
   * without effect, if it is not UTF-8. Its last byte was read from the socket at {@code
   * arrivedAt}; it may have been deferred since.
   */
  boolean text(byte[] buffer, int length, Instant arrivedAt);

  /** Handles a binary message, in a buffer as in {@link #text}; false if it takes none. */
  default boolean binary(byte[] buffer, int length) {
    return false;
  }

  /** The client, for which so many bytes wait; null if it cannot be described. Any thread. */
  default @Nullable ConnectedClient describe(long outboxBytes) {
    return null;
  }

  /** Called when the client is gone or is being disconnected, perhaps more than once. */
  void end();
}
