package gambit.app.hostile;

import gambit.core.testkit.RawSocket;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** WebSocket frames that are made beforehand, so that sending them costs nothing. */
final class Burst {
  static final int CONTINUATION = 0x0;
  static final int TEXT = 0x1;
  static final int CLOSE = 0x8;
  static final int PING = 0x9;
  static final int FINAL = 0x80;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  Burst text(String text) {
    return frame(FINAL | TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The first byte is the final bit, the reserved bits and the opcode. */
  Burst frame(int first, byte[] payload) {
    return raw(RawSocket.maskedFrame(first, payload));
  }

  Burst raw(byte[] frames) {
    bytes.writeBytes(frames);
    return this;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
