package gambit.core.net;

import gambit.core.wire.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.nio.charset.StandardCharsets;

/** The bytes of control frames: those that the relay sends are not masked (RFC 6455, 5.5). Pure. */
final class ControlFrames {
  private static final int FINAL_CLOSE = 0x88;
  private static final int FINAL_PING = 0x89;
  private static final int FINAL_PONG = 0x8a;

  /** The longest payload of a control frame. */
  private static final int MAX_BYTES = 125;

  private static final int HEAD_BYTES = 2;

  private ControlFrames() {}

  static ByteBuf ping() {
    return frame(FINAL_PING, Unpooled.EMPTY_BUFFER);
  }

  /** Answers a ping with its payload, which is released. */
  static ByteBuf pong(ByteBuf payload) {
    try {
      return frame(FINAL_PONG, payload);
    } finally {
      payload.release();
    }
  }

  static ByteBuf close(WebSocketCloseStatus status, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    ByteBuf payload = Unpooled.buffer(Short.BYTES + text.length);
    return frame(FINAL_CLOSE, payload.writeShort(status.code()).writeBytes(text));
  }

  /** Repeats the payload of the client's close frame. */
  static ByteBuf close(ByteBuf payload) {
    return frame(FINAL_CLOSE, payload);
  }

  /** Whether the reason in a close frame's payload, if there is one, is valid UTF-8. */
  static boolean hasReasonInUtf8(ByteBuf payload) {
    byte[] bytes = ByteBufUtil.getBytes(payload);
    int reason = Math.min(Short.BYTES, bytes.length); // after the code
    return Utf8.validPrefixEnd(bytes, reason, bytes.length) == bytes.length; // Netty takes a prefix
  }

  private static ByteBuf frame(int first, ByteBuf payload) {
    int length = payload.readableBytes();
    if (length > MAX_BYTES) {
      throw new IllegalArgumentException("a control frame of " + length + " bytes");
    }
    return Unpooled.buffer(HEAD_BYTES + length)
        .writeByte(first)
        .writeByte(length)
        .writeBytes(payload, payload.readerIndex(), length);
  }
}
