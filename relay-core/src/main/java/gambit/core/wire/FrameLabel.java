package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import gambit.core.model.Event;
import gambit.core.model.JsonStrings;

/**
 * The text of an EVENT frame before the event, encoded once. The label is a subscription id
 * (NIP-01), or a number in the NIP-100 draft. Immutable.
 */
public final class FrameLabel {
  private static final String BEGIN = "[\"EVENT\",";

  private final byte[] head;

  private FrameLabel(byte[] head) {
    this.head = head;
  }

  public static FrameLabel subscription(String id) {
    ByteBuilder out = new ByteBuilder(BEGIN.length() + id.length() + 3);
    out.addAscii(BEGIN);
    JsonStrings.append(out, id);
    out.add(',');
    return new FrameLabel(out.finish());
  }

  public static FrameLabel number(int number) {
    ByteBuilder out = new ByteBuilder(BEGIN.length() + ByteBuilder.decimalLength(number) + 1);
    out.addAscii(BEGIN);
    out.addNumber(number);
    out.add(',');
    return new FrameLabel(out.finish());
  }

  /** The frame of an event under this label. */
  public Frame frame(Event event) {
    return new Frame(head, event.shared());
  }
}
