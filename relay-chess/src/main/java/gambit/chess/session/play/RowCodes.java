package gambit.chess.session.play;

import gambit.chess.rules.Side;
import gambit.core.feature.UnreadableRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The encoding of what several rows of the journal have: the format, then fields. Pure. */
public final class RowCodes {
  /** The length of an id or a key. */
  public static final int ID = 32;

  /** The first byte of each row. */
  public static final byte FORMAT = 1;

  private static final byte NONE = -1;

  private RowCodes() {}

  /**
   * Reads a row.
   *
   * @param what the row is about, for the operator
   * @param content reads what follows the format
   */
  public static <T> T read(String what, String key, byte[] value, Function<ByteBuffer, T> content) {
    try {
      ByteBuffer in = ByteBuffer.wrap(value);
      byte format = in.get();
      if (format != FORMAT) {
        throw new IllegalArgumentException("unknown format " + format);
      }
      return content.apply(in);
    } catch (RuntimeException e) {
      throw new UnreadableRows("The journal of " + what + " " + key + " is unreadable", e);
    }
  }

  public static void putSide(ByteBuffer out, @Nullable Side side) {
    out.put(side == null ? NONE : (byte) (side == Side.WHITE ? 0 : 1));
  }

  public static @Nullable Side side(ByteBuffer in) {
    byte code = in.get();
    return code == NONE ? null : code == 0 ? Side.WHITE : Side.BLACK;
  }

  /** Writes at most 255 characters of ASCII. */
  public static void putText(ByteBuffer out, String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    out.put((byte) ascii.length).put(ascii);
  }

  public static String text(ByteBuffer in) {
    return new String(bytes(in, in.get() & 0xff), StandardCharsets.US_ASCII);
  }

  /** Writes an id, or that there is none. */
  public static void putId(ByteBuffer out, byte @Nullable [] id) {
    out.put((byte) (id == null ? 0 : 1)).put(id == null ? new byte[0] : id);
  }

  public static byte @Nullable [] idOrNull(ByteBuffer in) {
    return in.get() == 0 ? null : bytes(in, ID);
  }

  public static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
