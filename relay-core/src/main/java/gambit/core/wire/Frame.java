package gambit.core.wire;

import gambit.core.model.Event;
import gambit.core.model.SharedJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The text of one outgoing frame: its own head and, for an EVENT, the shared bytes of the event.
 * Immutable.
 */
public final class Frame {
  /** Approximate heap of a queued frame beyond its bytes. */
  private static final int OVERHEAD_BYTES = 96;

  private static final byte[] CLOSING_BRACKET = {']'};
  private static final byte[] NOTHING = {};

  private final byte[] head;
  private final @Nullable SharedJson event;

  Frame(byte[] head) {
    this.head = head;
    this.event = null;
  }

  Frame(byte[] head, Event event) {
    this.head = head;
    this.event = event.shared();
  }

  /** The pieces of the text, which must not be modified. */
  public byte[][] pieces() {
    return event == null
        ? new byte[][] {head}
        : new byte[][] {head, event.bytes(), CLOSING_BRACKET};
  }

  /** The bytes of this frame alone; without an event, all. They must not be modified. */
  public byte[] head() {
    return head;
  }

  /** The bytes that the frame shares with other frames of its event; null without an event. */
  public @Nullable SharedJson shared() {
    return event;
  }

  /** The compressed text after the head, made once for all frames of the event; else empty. */
  public byte[] compressedRest(UnaryOperator<byte[]> compressor, SharedJson.ByteCounter counter) {
    return event == null
        ? NOTHING
        : event.compressed(json -> compressor.apply(withClosingBracket(json)), counter);
  }

  private static byte[] withClosingBracket(byte[] json) {
    byte[] rest = Arrays.copyOf(json, json.length + CLOSING_BRACKET.length);
    System.arraycopy(CLOSING_BRACKET, 0, rest, json.length, CLOSING_BRACKET.length);
    return rest;
  }

  public int length() {
    return head.length + (event == null ? 0 : event.bytes().length + 1);
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
