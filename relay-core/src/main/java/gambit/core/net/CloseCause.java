package gambit.core.net;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.Locale;

/** Why a WebSocket was closed; a label of the metric {@code connections_closed}. */
enum CloseCause {
  /** The client has sent a close frame. */
  CLIENT,
  /** The client was gone without a close frame. */
  VANISHED,
  /** The client has not answered a ping. */
  SILENT,
  /** The bound on the client's outbox was exceeded. */
  SLOW,
  /**
   * The bound on all outboxes was exceeded, and this client contributed most to it; or that on the
   * incomplete messages of all clients.
   */
  CROWDED,
  /** The client has violated the WebSocket protocol: 1002. */
  PROTOCOL,
  /** The client has sent a binary message: 1003. */
  BINARY,
  /** The client has sent text that is not UTF-8, or data that cannot be inflated: 1007. */
  TEXT,
  /** The client has sent a message that is too long: 1009. */
  SIZE,
  /** The operator has blocked the client's address: 1008. */
  BLOCKED,
  /** There was no buffer memory. */
  BUFFERS,
  /** The relay is shutting down: 1001; or another node leads its cluster: 1012. */
  SHUTDOWN,
  /** A bug. */
  ERROR;

  /** The value of the metric's label. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The cause for which the relay closes with that code. */
  static CloseCause of(WebSocketCloseStatus status) {
    return switch (status.code()) {
      case 1001, 1012 -> SHUTDOWN;
      case 1003 -> BINARY;
      case 1007 -> TEXT;
      case 1008 -> BLOCKED;
      case 1009 -> SIZE;
      case 1013 -> CROWDED;
      default -> PROTOCOL;
    };
  }
}
