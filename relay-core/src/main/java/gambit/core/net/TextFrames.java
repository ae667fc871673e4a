package gambit.core.net;

import gambit.core.wire.Frame;
import io.netty.buffer.ByteBuf;

/** Writes text frames as a server does: final, unmasked (RFC 6455, section 5.2). */
final class TextFrames {
  private static final int FINAL_TEXT = 0x81;

  private TextFrames() {}

  static void write(ByteBuf out, Frame frame) {
    int length = frame.length();
    out.writeByte(FINAL_TEXT);
    if (length < 126) {
      out.writeByte(length);
    } else if (length < 65_536) {
      out.writeByte(126).writeShort(length);
    } else {
      out.writeByte(127).writeLong(length);
    }
    frame.writeTo(out::writeBytes);
  }
}
