package gambit.core.wire;

import gambit.core.model.SharedJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The text of one outgoing frame. Immutable: the arrays must not be modified.
 *
 * @param head the bytes of this frame alone; without an event, all
 * @param shared the bytes of an EVENT that the frame shares with other frames; null without one
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares frames
public record Frame(byte[] head, @Nullable SharedJson shared) {
  /** Approximate heap of a queued frame beyond its bytes. */
  private static final int OVERHEAD_BYTES = 96;

  private static final byte[] CLOSING_BRACKET = {']'};
  private static final byte[] NOTHING = {};

  /** The pieces of the text, which must not be modified. */
  public byte[][] pieces() {
    return shared == null
        ? new byte[][] {head}
        : new byte[][] {head, shared.bytes(), CLOSING_BRACKET};
  }

  /** The compressed text after the head, made once for all frames of the event; else empty. */
  public byte[] compressedRest(UnaryOperator<byte[]> compressor, SharedJson.ByteCounter counter) {
    return shared == null
        ? NOTHING
        : shared.compressed(json -> compressor.apply(withClosingBracket(json)), counter);
  }

  private static byte[] withClosingBracket(byte[] json) {
    byte[] rest = Arrays.copyOf(json, json.length + CLOSING_BRACKET.length);
    System.arraycopy(CLOSING_BRACKET, 0, rest, json.length, CLOSING_BRACKET.length);
    return rest;
  }

  public int length() {
    return head.length + (shared == null ? 0 : shared.bytes().length + 1);
  }

  /** The frame's cost in the bounds on queued bytes, without the bytes it shares. */
  public int ownCost() {
    return head.length + OVERHEAD_BYTES;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(length());
    for (byte[] piece : pieces()) {
      text.append(new String(piece, StandardCharsets.UTF_8));
    }
    return text.toString();
  }
}
