package gambit.core.net;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.Locale;

/** Why a WebSocket ended. */
enum CloseCause {
  /** The client said goodbye. */
  CLIENT,
  /** The client was gone without a goodbye. */
  VANISHED,
  /** No sign of life when asked for one. */
  SILENT,
  /** Too much waited for this client to read. */
  SLOW,
  /**
   * Too much waited for all, and most of it for this client; or it had sent most of what was
   * unfinished.
   */
  CROWDED,
  /** Frames against the protocol: 1002. */
  PROTOCOL,
  /** A binary message: 1003. */
  BINARY,
  /** What is not UTF-8 or cannot be inflated: 1007. */
  TEXT,
  /** A message too long: 1009. */
  SIZE,
  /** No buffer could be had. */
  BUFFERS,
  /** The relay ends: 1001. */
  SHUTDOWN,
  /** A bug. */
  ERROR;

  /** As a metric's label has it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What an ending from this side with a close code is. */
  static CloseCause of(WebSocketCloseStatus status) {
    return switch (status.code()) {
      case 1001 -> SHUTDOWN;
      case 1003 -> BINARY;
      case 1007 -> TEXT;
      case 1009 -> SIZE;
      case 1013 -> CROWDED;
      default -> PROTOCOL;
    };
  }
}
