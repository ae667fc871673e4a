package gambit.app.bench;

import gambit.core.model.EventId;
import gambit.core.model.Hex;
import io.netty.buffer.ByteBuf;

/** The first 64 bits of an event's id, by which answers are recognized. */
final class IdKey {
  private static final int DIGITS = 16;

  private IdKey() {}

  static long of(EventId id) {
    return id.prefix();
  }

  /** The key of an id of hexadecimal digits that begins here; -1 if it does not. */
  static long at(ByteBuf text, int from) {
    if (from < 0 || from + DIGITS > text.writerIndex()) {
      return -1;
    }
    long key = 0;
    for (int i = from; i < from + DIGITS; i++) {
      int digit = Hex.lowerCaseValue(text.getByte(i));
      if (digit < 0) {
        return -1;
      }
      key = key << 4 | digit;
    }
    return key;
  }
}
