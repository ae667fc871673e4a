package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import gambit.core.model.JsonStrings;

/**
 * What stands in an EVENT frame before the event, encoded once: a subscription id (NIP-01), or the
 * bare number that the NIP-100 draft puts in its place. Immutable.
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

  byte[] head() {
    return head;
  }
}
