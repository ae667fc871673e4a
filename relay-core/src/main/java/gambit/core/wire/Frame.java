package gambit.core.wire;

import gambit.core.model.Event;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The text of one outgoing frame: a head of its own and, for an EVENT, the shared bytes of the
 * event behind it. Immutable.
 */
public final class Frame {
  /** Rough heap cost of a waiting frame beyond its bytes; a queue of empty frames costs too. */
  private static final int OVERHEAD = 64;

  private final byte[] head;
  private final @Nullable Event event;

  Frame(byte[] head) {
    this.head = head;
    this.event = null;
  }

  Frame(byte[] head, Event event) {
    this.head = head;
    this.event = event;
  }

  /** Takes the pieces of the text in order. */
  public interface Sink {
    void bytes(byte[] piece);
  }

  private static final byte[] END = {']'};

  /** Hands the pieces of the text to the sink; none may be written into. */
  public void writeTo(Sink sink) {
    sink.bytes(head);
    if (event != null) {
      sink.bytes(event.json());
      sink.bytes(END);
    }
  }

  /** The length of the text in bytes. */
  public int length() {
    return head.length + (event == null ? 0 : event.json().length + 1);
  }

  /** What it counts against the bounds on waiting bytes. */
  public int cost() {
    return length() + OVERHEAD;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(length());
    writeTo(piece -> text.append(new String(piece, StandardCharsets.UTF_8)));
    return text.toString();
  }
}
