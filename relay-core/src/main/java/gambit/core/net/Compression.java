package gambit.core.net;

import gambit.core.model.ByteBuilder;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Messages compressed each on its own (RFC 7692, section 7.2), so that nothing is kept for a
 * connection and one compressed form serves all receivers. Any thread; a compressor is kept for
 * each.
 */
final class Compression {
  /** More costs more time than it saves bytes on events, a third of which is random. */
  private static final int LEVEL = 4;

  /** What ends a compressed message, and is left out of it (section 7.2.1). */
  private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  /** The tail, and the last block of a stream: what is cut off does not come to its end. */
  private static final byte[] END = {0, 0, (byte) 0xff, (byte) 0xff, 3, 0};

  private static final ThreadLocal<Deflater> DEFLATER =
      ThreadLocal.withInitial(() -> new Deflater(LEVEL, true));
  private static final ThreadLocal<Inflater> INFLATER =
      ThreadLocal.withInitial(() -> new Inflater(true));

  private Compression() {}

  /** How long a message of so many bytes may become by being compressed. */
  static int longest(int bytes) {
    return bytes + (bytes >> 9) + 64;
  }

  /** What a message is compressed to, its tail left out. */
  static byte[] deflate(byte[] message) {
    Deflater deflater = DEFLATER.get();
    deflater.reset();
    deflater.setInput(message);
    byte[] out = new byte[longest(message.length)];
    int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
    return Arrays.copyOf(out, length - TAIL.length);
  }

  /**
   * What was compressed.
   *
   * @param most bytes that it may become
   * @throws CorruptedWebSocketFrameException when it becomes more, or was not compressed so
   */
  static byte[] inflate(byte[] in, int length, int most) {
    byte[] whole = Arrays.copyOf(in, length + END.length);
    System.arraycopy(END, 0, whole, length, END.length);
    Inflater inflater = INFLATER.get();
    inflater.reset();
    inflater.setInput(whole);
    ByteBuilder out = new ByteBuilder(Math.min(most, 4 * length));
    byte[] piece = new byte[Math.min(most + 1, 4096)];
    try {
      while (true) {
        int more = inflater.inflate(piece);
        if (out.size() + more > most) {
          throw new CorruptedWebSocketFrameException(
              WebSocketCloseStatus.MESSAGE_TOO_BIG, "message too long");
        }
        out.add(piece, 0, more);
        int rest = inflater.getRemaining();
        if (inflater.finished() && rest == 0) {
          return out.toArray();
        } else if (inflater.finished()) { // a final block in the middle
          inflater.reset();
          inflater.setInput(whole, whole.length - rest, rest);
        } else if (more == 0) {
          throw new DataFormatException("cut off");
        }
      }
    } catch (DataFormatException e) {
      throw new CorruptedWebSocketFrameException(
          WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "not compressed as agreed", e);
    }
  }
}
