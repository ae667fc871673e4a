package gambit.app.hostile;

import gambit.core.testkit.RawSocket;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A sequence of WebSocket frames, encoded in advance so that sending them is cheap. */
final class FrameBatch {
  static final int CONTINUATION = 0x0;
  static final int TEXT = 0x1;
  static final int CLOSE = 0x8;
  static final int PING = 0x9;
  static final int FINAL = 0x80;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  FrameBatch text(String text) {
    return frame(FINAL | TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a frame; its first byte has the final bit, the reserved bits and the opcode. */
  FrameBatch frame(int first, byte[] payload) {
    return raw(RawSocket.maskedFrame(first, payload));
  }

  FrameBatch raw(byte[] frames) {
    bytes.writeBytes(frames);
    return this;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
