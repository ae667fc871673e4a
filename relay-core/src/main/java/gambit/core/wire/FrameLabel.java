package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import gambit.core.model.Event;
import gambit.core.model.JsonStrings;

/**
 * The text of an EVENT frame before the event, encoded once. The label is a subscription id
 * (NIP-01), or a number in the NIP-100 draft. Immutable.
 */
public final class FrameLabel {
  private final byte[] head;

  private FrameLabel(byte[] label) {
    ByteBuilder out = new ByteBuilder(label.length + 12);
    out.addAscii("[\"EVENT\",");
    out.add(label, 0, label.length);
    out.add(',');
    head = out.toArray();
  }

  public static FrameLabel subscription(String id) {
    return new FrameLabel(JsonStrings.encode(id));
  }

  public static FrameLabel number(int kind) {
    ByteBuilder out = new ByteBuilder(8);
    out.addAscii(Integer.toString(kind));
    return new FrameLabel(out.toArray());
  }

  /** The frame of an event under this label. */
  public Frame frame(Event event) {
    return new Frame(head, event);
  }
}
