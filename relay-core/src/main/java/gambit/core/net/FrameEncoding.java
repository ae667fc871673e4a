package gambit.core.net;

import gambit.core.model.SharedJson;
import gambit.core.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * How a channel's text frames are encoded: final and unmasked (RFC 6455, section 5.2), and with
 * compression if that was negotiated (RFC 7692, section 6.1).
 */
enum FrameEncoding {
  PLAIN {
    @Override
    int maxBytes(Frame frame) {
      return MAX_HEAD_BYTES + frame.length();
    }

    @Override
    void write(ByteBuf out, Frame frame, SharedJson.ByteCounter counter) {
      head(out, FINAL_TEXT, frame.length());
      out.writeBytes(frame.head());
      SharedJson event = frame.shared();
      if (event != null) {
        out.writeBytes(event.bytes());
        out.writeByte(']');
      }
    }

    @Override
    ByteBuf view(Frame frame, SharedJson.ByteCounter counter) {
      ByteBuf start = Unpooled.buffer(MAX_HEAD_BYTES);
      head(start, FINAL_TEXT, frame.length());
      return Unpooled.wrappedBuffer(start, Unpooled.wrappedBuffer(frame.pieces()));
    }
  },

  /** Events are compressed, once for all receivers; other messages are too short to gain. */
  COMPRESSED {
    @Override
    int maxBytes(Frame frame) {
      return MAX_HEAD_BYTES + STORED_BLOCK_HEAD_BYTES + Compression.maxBytes(frame.length());
    }

    @Override
    void write(ByteBuf out, Frame frame, SharedJson.ByteCounter counter) {
      byte[] rest = frame.compressedRest(Compression::deflate, counter);
      if (rest.length == 0) {
        PLAIN.write(out, frame, counter);
      } else {
        writeCompressed(out, frame.head(), rest);
      }
    }

    @Override
    ByteBuf view(Frame frame, SharedJson.ByteCounter counter) {
      byte[] rest = frame.compressedRest(Compression::deflate, counter);
      if (rest.length == 0) {
        return PLAIN.view(frame, counter);
      }
      ByteBuf start =
          Unpooled.buffer(MAX_HEAD_BYTES + STORED_BLOCK_HEAD_BYTES + frame.head().length);
      startCompressed(start, frame.head(), rest.length);
      return Unpooled.wrappedBuffer(start, Unpooled.wrappedBuffer(rest));
    }
  };

  private static final int FINAL_TEXT = 0x81;
  private static final int RSV1 = 0x40;

  private static final int MAX_HEAD_BYTES = 10;

  /** The head of an uncompressed block: its type, its length twice (RFC 1951, 3.2.4). */
  private static final int STORED_BLOCK_HEAD_BYTES = 5;

  abstract int maxBytes(Frame frame);

  /** Writes a frame; the counter counts the compressed event, which is shared. */
  abstract void write(ByteBuf out, Frame frame, SharedJson.ByteCounter counter);

  /** The bytes of an encoded frame; shared bytes are not copied. */
  abstract ByteBuf view(Frame frame, SharedJson.ByteCounter counter);

  /** Writes a compressed message whose head, less than 64 KB, is in an uncompressed block. */
  static void writeCompressed(ByteBuf out, byte[] head, byte[] rest) {
    startCompressed(out, head, rest.length);
    out.writeBytes(rest);
  }

  private static void startCompressed(ByteBuf out, byte[] head, int restLength) {
    head(out, FINAL_TEXT | RSV1, STORED_BLOCK_HEAD_BYTES + head.length + restLength);
    out.writeByte(0).writeShortLE(head.length).writeShortLE(~head.length);
    out.writeBytes(head);
  }

  private static void head(ByteBuf out, int first, int length) {
    if (length < 126) {
      out.writeShort(first << 8 | length);
    } else if (length < 65_536) {
      out.writeInt(first << 24 | 126 << 16 | length);
    } else {
      out.writeShort(first << 8 | 127).writeLong(length);
    }
  }
}
