package gambit.core.net;

import gambit.core.model.SharedJson;
import gambit.core.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes text frames as a server does: final, unmasked (RFC 6455, section 5.2), and where that was
 * negotiated, compressed (RFC 7692, section 6.1).
 */
enum FrameEncoding {
  PLAIN {
    @Override
    int longest(Frame frame) {
      return LONGEST_HEAD + frame.length();
    }

    @Override
    void write(ByteBuf out, Frame frame, SharedJson.Counter counter) {
      head(out, FINAL_TEXT, frame.length());
      frame.writeTo(out::writeBytes);
    }

    @Override
    ByteBuf view(Frame frame, SharedJson.Counter counter) {
      ByteBuf start = Unpooled.buffer(LONGEST_HEAD);
      head(start, FINAL_TEXT, frame.length());
      List<ByteBuf> parts = new ArrayList<>(List.of(start));
      frame.writeTo(piece -> parts.add(Unpooled.wrappedBuffer(piece)));
      return Unpooled.wrappedBuffer(parts.toArray(ByteBuf[]::new));
    }
  },

  /** Events are compressed, once for all receivers; all else is too short to gain by it. */
  COMPRESSED {
    @Override
    int longest(Frame frame) {
      return LONGEST_HEAD + STORED_HEAD + Compression.longest(frame.length());
    }

    @Override
    void write(ByteBuf out, Frame frame, SharedJson.Counter counter) {
      byte[] rest = frame.compressedRest(Compression::deflate, counter);
      if (rest.length == 0) {
        PLAIN.write(out, frame, counter);
      } else {
        writeCompressed(out, frame.head(), rest);
      }
    }

    @Override
    ByteBuf view(Frame frame, SharedJson.Counter counter) {
      byte[] rest = frame.compressedRest(Compression::deflate, counter);
      if (rest.length == 0) {
        return PLAIN.view(frame, counter);
      }
      ByteBuf start = Unpooled.buffer(LONGEST_HEAD + STORED_HEAD + frame.head().length);
      startCompressed(start, frame.head(), rest.length);
      return Unpooled.wrappedBuffer(start, Unpooled.wrappedBuffer(rest));
    }
  };

  private static final int FINAL_TEXT = 0x81;
  private static final int RSV1 = 0x40;

  /** How long the head of a frame may be that is not masked. */
  private static final int LONGEST_HEAD = 10;

  /** A block that is not compressed begins so: its type, its length twice (RFC 1951, 3.2.4). */
  private static final int STORED_HEAD = 5;

  /** The most bytes that a frame may take. */
  abstract int longest(Frame frame);

  /**
   * Writes a frame.
   *
   * @param counter counts what is made to be shared
   */
  abstract void write(ByteBuf out, Frame frame, SharedJson.Counter counter);

  /** The same bytes, none of those copied that are shared. */
  abstract ByteBuf view(Frame frame, SharedJson.Counter counter);

  /**
   * Writes a text whose head is not compressed and whose rest is.
   *
   * @param head less than 64 KB of the text
   * @param rest what {@link Compression#deflate} made of what follows
   */
  static void writeCompressed(ByteBuf out, byte[] head, byte[] rest) {
    startCompressed(out, head, rest.length);
    out.writeBytes(rest);
  }

  private static void startCompressed(ByteBuf out, byte[] head, int restLength) {
    head(out, FINAL_TEXT | RSV1, STORED_HEAD + head.length + restLength);
    out.writeByte(0).writeShortLE(head.length).writeShortLE(~head.length);
    out.writeBytes(head);
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
