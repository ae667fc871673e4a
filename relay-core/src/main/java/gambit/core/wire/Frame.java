package gambit.core.wire;

import gambit.core.model.Event;
import gambit.core.model.SharedJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The text of one outgoing frame: a head of its own and, for an EVENT, the shared bytes of the
 * event behind it. Immutable.
 */
public final class Frame {
  /** Rough heap cost of a waiting frame beyond its bytes; a queue of empty frames costs too. */
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

  /** Takes the pieces of the text in order. */
  public interface Sink {
    void bytes(byte[] piece);
  }

  /** Hands the pieces of the text to the sink; none may be written into. */
  public void writeTo(Sink sink) {
    sink.bytes(head);
    if (event != null) {
      sink.bytes(event.bytes());
      sink.bytes(CLOSING_BRACKET);
    }
  }

  /** What is this frame's own: without an event, all of it. Not to be written to. */
  public byte[] head() {
    return head;
  }

  /** What the frame shares with the other frames of its event; null without an event. */
  public @Nullable SharedJson shared() {
    return event;
  }

  /**
   * What stands behind the head, compressed; made once for all frames of the event. Empty where
   * there is nothing behind the head.
   *
   * @param counter counts what is made
   */
  public byte[] compressedRest(UnaryOperator<byte[]> compressor, SharedJson.Counter counter) {
    return event == null
        ? NOTHING
        : event.compressed(json -> compressor.apply(withClosingBracket(json)), counter);
  }

  private static byte[] withClosingBracket(byte[] json) {
    byte[] rest = Arrays.copyOf(json, json.length + CLOSING_BRACKET.length);
    System.arraycopy(CLOSING_BRACKET, 0, rest, json.length, CLOSING_BRACKET.length);
    return rest;
  }

  /** The length of the text in bytes. */
  public int length() {
    return head.length + (event == null ? 0 : event.bytes().length + 1);
  }

  /** What it counts against the bounds on waiting bytes, beside what it shares. */
  public int ownCost() {
    return head.length + OVERHEAD_BYTES;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(length());
    writeTo(piece -> text.append(new String(piece, StandardCharsets.UTF_8)));
    return text.toString();
  }
}
