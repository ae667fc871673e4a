package gambit.core.net;

import gambit.core.testkit.StrictJson;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * What an echo answers to the bytes of a client, by RFC 6455 and RFC 7692: once more, on an array
 * of bytes. An answer is a word, {@code text}, {@code binary}, {@code pong} or {@code close}, and
 * what is said in hex digits; the last may be a goodbye from this side, with its code.
 */
public final class FrameRules {
  /** The prefix of a close frame that does not answer one. */
  public static final String GOODBYE = "goodbye ";

  private static final List<byte[]> ENDS = ends();

  private final ByteBuffer in;
  private final boolean compress;
  private final int most;
  private final List<String> answers = new ArrayList<>();
  private boolean closed;

  private @Nullable ByteArrayOutputStream message; // one that is not whole yet
  private boolean text;
  private boolean compressed;

  private FrameRules(ByteBuffer in, boolean compress, int most) {
    this.in = in;
    this.compress = compress;
    this.most = most;
  }

  /**
   * The answers to the bytes of the array from an index on.
   *
   * @param compress whether compression was negotiated
   * @param most bytes of the longest message
   */
  public static List<String> answers(byte[] bytes, int from, boolean compress, int most) {
    FrameRules rules =
        new FrameRules(ByteBuffer.wrap(bytes, from, bytes.length - from), compress, most);
    while (!rules.closed && rules.takeFrame()) {}
    return rules.answers;
  }

  /** Takes the next frame; false when it is not whole. */
  private boolean takeFrame() {
    if (in.remaining() < 2) {
      return false;
    }
    int first = in.get();
    int second = in.get();
    boolean last = (first & 0x80) != 0;
    int bits = first >> 4 & 7;
    int opcode = first & 15;
    int length = second & 0x7f;
    boolean control = opcode >= 8;
    if ((bits != 0 && !compress)
        || (second & 0x80) == 0
        || (control && (!last || length > 125 || opcode > 10 || (opcode == 8 && length == 1)))
        || (!control && (opcode > 2 || (opcode == 0) != (message != null)))) {
      return close(1002);
    }
    long size = length;
    if (length == 126) {
      if (in.remaining() < 2) {
        return false;
      }
      size = in.getShort() & 0xffff;
    } else if (length == 127) {
      if (in.remaining() < 8) {
        return false;
      }
      size = in.getLong();
    }
    if ((length == 126 && size < 126) || (length == 127 && size < 65_536)) {
      return close(1002);
    } else if (size > longestFrame()) {
      return close(1009);
    } else if (in.remaining() < 4 + size) {
      return false;
    }
    byte[] mask = new byte[4];
    in.get(mask);
    byte[] payload = new byte[(int) size];
    in.get(payload);
    for (int i = 0; i < payload.length; i++) {
      payload[i] ^= mask[i % 4];
    }
    return take(opcode, bits, last, payload);
  }

  /** A compressed message may be slightly longer than the inflated one. */
  private int longestFrame() {
    return compress ? Compression.maxBytes(most) : most;
  }

  private boolean take(int opcode, int bits, boolean last, byte[] payload) {
    int wrong = opcode == 8 && payload.length > 0 ? wrongIn(payload) : 0;
    boolean begins = opcode == 1 || opcode == 2;
    if (wrong == 0 && bits != 0 && !(begins && bits == 4)) {
      wrong = 1002;
    }
    if (wrong != 0) {
      return close(wrong);
    }
    switch (opcode) {
      case 8 -> {
        closed = true;
        return say("close", payload);
      }
      case 9 -> {
        return say("pong", payload);
      }
      case 10 -> {
        return true;
      }
      default -> {
        if (begins) {
          message = new ByteArrayOutputStream();
          text = opcode == 1;
          compressed = bits == 4;
        }
        return add(payload, last);
      }
    }
  }

  /** With which code a goodbye is answered that is wrong, else 0. */
  private static int wrongIn(byte[] goodbye) {
    int code = ByteBuffer.wrap(goodbye).getShort() & 0xffff;
    if (code < 1000 || (code > 1003 && code < 1007) || (code > 1014 && code < 3000)) {
      return 1002;
    } else if (!canBecomeUtf8(Arrays.copyOfRange(goodbye, 2, goodbye.length))) {
      return 1007;
    } else if (code > 4999) {
      return 1002;
    }
    return isUtf8(Arrays.copyOfRange(goodbye, 2, goodbye.length)) ? 0 : 1007;
  }

  private boolean add(byte[] payload, boolean last) {
    message.writeBytes(payload);
    byte[] sofar = message.toByteArray();
    if (sofar.length > (compressed ? longestFrame() : most)) {
      return close(1009);
    } else if (!last) {
      return !text || compressed || canBecomeUtf8(sofar) || close(1007);
    }
    message = null;
    byte[] whole;
    try {
      whole = compressed ? inflate(sofar, most) : sofar;
    } catch (DataFormatException e) {
      return close(1007);
    }
    if (whole.length > most) {
      return close(1009);
    } else if (text && !isUtf8(whole)) {
      return close(1007);
    }
    return say(text ? "text" : "binary", whole);
  }

  /**
   * One byte at a time, and no more than one too many. What is whole goes on behind its end with
   * another block, a last one.
   */
  public static byte[] inflate(byte[] payload, int most) throws DataFormatException {
    byte[] in = Arrays.copyOf(payload, payload.length + 6); // 00 00 ff ff 03 00
    Arrays.fill(in, payload.length + 2, payload.length + 4, (byte) 0xff);
    in[payload.length + 4] = 3;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(in);
      byte[] next = new byte[1];
      while (out.size() <= most) {
        int more = inflater.inflate(next);
        out.write(next, 0, more);
        if (inflater.finished() && inflater.getRemaining() > 0) {
          int rest = inflater.getRemaining();
          inflater.reset();
          inflater.setInput(in, in.length - rest, rest);
        } else if (inflater.finished()) {
          break;
        } else if (more == 0) {
          throw new DataFormatException("cut off");
        }
      }
    } finally {
      inflater.end();
    }
    return out.toByteArray();
  }

  private static boolean isUtf8(byte[] bytes) {
    return StrictJson.utf8(bytes, bytes.length).isPresent();
  }

  /** Some end makes it UTF-8. */
  private static boolean canBecomeUtf8(byte[] bytes) {
    for (byte[] end : ENDS) {
      byte[] whole = Arrays.copyOf(bytes, bytes.length + end.length);
      System.arraycopy(end, 0, whole, bytes.length, end.length);
      if (isUtf8(whole)) {
        return true;
      }
    }
    return false;
  }

  /** Up to three bytes, of those that tell where the ranges of second bytes begin and end. */
  private static List<byte[]> ends() {
    List<byte[]> ends = new ArrayList<>(List.of(new byte[0]));
    for (int shorter = 0; ends.size() < 1 + 3 + 9 + 27; shorter++) {
      for (int next : new int[] {0x80, 0x90, 0xbf}) {
        byte[] end = Arrays.copyOf(ends.get(shorter), ends.get(shorter).length + 1);
        end[end.length - 1] = (byte) next;
        ends.add(end);
      }
    }
    return ends;
  }

  private boolean say(String what, byte[] payload) {
    answers.add(what + " " + HexFormat.of().formatHex(payload));
    return true;
  }

  private boolean close(int code) {
    closed = true;
    answers.add(GOODBYE + code);
    return true;
  }
}
