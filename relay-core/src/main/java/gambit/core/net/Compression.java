package gambit.core.net;

import gambit.core.model.ByteBuilder;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and inflates messages, each independently (RFC 7692, section 7.2): nothing is kept for
 * a connection, and one compressed form serves all receivers. Any thread; each has a compressor of
 * its own.
 */
final class Compression {
  /** A third of an event is random bytes, so a higher level costs time and saves little. */
  private static final int LEVEL = 4;

  /** The end of a compressed message, which is not sent (section 7.2.1). */
  private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  /** The tail and a final block; data that is cut off does not reach the end of the latter. */
  private static final byte[] END = {0, 0, (byte) 0xff, (byte) 0xff, 3, 0};

  private static final ThreadLocal<Deflater> DEFLATER =
      ThreadLocal.withInitial(() -> new Deflater(LEVEL, true));
  private static final ThreadLocal<Inflater> INFLATER =
      ThreadLocal.withInitial(() -> new Inflater(true));

  private static final String ACCEPTED =
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

  /** An offer that is acceptable if no parameter is repeated (RFC 7692, section 7.1). */
  private static final Pattern OFFER =
      Pattern.compile(
          "\\s*(?i:permessage-deflate)\\s*(?:;\\s*(?:"
              + "server_no_context_takeover|client_no_context_takeover"
              + "|client_max_window_bits(?:\\s*=\\s*(\"?)(?:[89]|1[0-5])\\1)?"
              + "|server_max_window_bits\\s*=\\s*(?:15|\"15\")"
              + ")\\s*){0,4}");

  private static final Pattern REPETITION = Pattern.compile(";\\s*(\\w++).*;\\s*\\1\\b");

  private Compression() {}

  /** The most bytes that a message of that length can have when compressed. */
  static int maxBytes(int bytes) {
    return bytes + (bytes >> 9) + 64;
  }

  static byte[] deflate(byte[] message) {
    Deflater deflater = DEFLATER.get();
    deflater.reset();
    deflater.setInput(message);
    byte[] out = new byte[maxBytes(message.length)];
    int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
    return Arrays.copyOf(out, length - TAIL.length);
  }

  /** Inflates a message; fails if the result would be longer than that, or the data is invalid. */
  static byte[] inflate(byte[] in, int length, int maxBytes) {
    byte[] whole = Arrays.copyOf(in, length + END.length);
    System.arraycopy(END, 0, whole, length, END.length);
    Inflater inflater = INFLATER.get();
    inflater.reset();
    inflater.setInput(whole);
    ByteBuilder out = new ByteBuilder(Math.min(maxBytes, 4 * length));
    byte[] piece = new byte[Math.min(maxBytes + 1, 4096)];
    try {
      while (true) {
        int more = inflater.inflate(piece);
        if (out.size() + more > maxBytes) {
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

  /**
   * Negotiates permessage-deflate (section 7.1): the answer to the first acceptable offer, or null
   * if there is none. Neither side keeps a context between messages, which a server may always
   * require. An offer that requires a smaller window of the server than the default is declined.
   */
  static @Nullable String acceptedOffer(List<String> headers) {
    if (headers.isEmpty()) {
      return null;
    }
    for (String offer : String.join(",", headers).split(",", -1)) {
      if (OFFER.matcher(offer).matches() && !REPETITION.matcher(offer).find()) {
        return offer.contains("server_max_window_bits")
            ? ACCEPTED + "; server_max_window_bits=15"
            : ACCEPTED;
      }
    }
    return null;
  }
}
