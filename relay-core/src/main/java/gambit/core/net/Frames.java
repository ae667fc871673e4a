package gambit.core.net;

import gambit.core.wire.Frame;
import io.netty.buffer.ByteBuf;

/**
 * Writes text frames as a server does: final, unmasked (RFC 6455, section 5.2), and where that was
 * negotiated, compressed (RFC 7692, section 6.1).
 */
enum Frames {
  PLAIN {
    @Override
    void write(ByteBuf out, Frame frame) {
      head(out, FINAL_TEXT, frame.length());
      frame.writeTo(out::writeBytes);
    }
  },

  /** Events are compressed, once for all receivers; all else is too short to gain by it. */
  COMPRESSED {
    @Override
    void write(ByteBuf out, Frame frame) {
      byte[] rest = frame.compressedRest(Compression::deflate);
      if (rest.length == 0) {
        PLAIN.write(out, frame);
      } else {
        writeCompressed(out, frame.head(), rest);
      }
    }
  };

  private static final int FINAL_TEXT = 0x81;
  private static final int RSV1 = 0x40;

  /** A block that is not compressed begins so: its type, its length twice (RFC 1951, 3.2.4). */
  private static final int STORED_HEAD = 5;

  abstract void write(ByteBuf out, Frame frame);

  /**
   * Writes a text whose head is not compressed and whose rest is.
   *
   * @param head less than 64 KB of the text
   * @param rest what {@link Compression#deflate} made of what follows
   */
  static void writeCompressed(ByteBuf out, byte[] head, byte[] rest) {
    head(out, FINAL_TEXT | RSV1, STORED_HEAD + head.length + rest.length);
    out.writeByte(0).writeShortLE(head.length).writeShortLE(~head.length);
    out.writeBytes(head).writeBytes(rest);
  }

  private static void head(ByteBuf out, int first, int length) {
    out.writeByte(first);
    if (length < 126) {
      out.writeByte(length);
    } else if (length < 65_536) {
      out.writeByte(126).writeShort(length);
    } else {
      out.writeByte(127).writeLong(length);
    }
  }
}
