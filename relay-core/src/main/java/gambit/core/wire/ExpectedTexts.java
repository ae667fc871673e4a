package gambit.core.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts that are compared with the bytes of a message, in ASCII without escapes. Immutable. */
final class ExpectedTexts {
  private final List<String> texts;
  private final byte[][] bytes;

  ExpectedTexts(List<String> texts) {
    this.texts = List.copyOf(texts);
    this.bytes =
        texts.stream().map(text -> text.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
  }

  /** The text whose characters are between the quote at {@code from} and another; null if none. */
  @Nullable String quotedAt(byte[] in, int from, int end) {
    for (int i = 0; i < bytes.length; i++) {
      byte[] text = bytes[i];
      int begin = from + 1;
      int close = begin + text.length;
      if (close < end
          && in[close] == '"'
          && Arrays.equals(in, begin, close, text, 0, text.length)) {
        return texts.get(i);
      }
    }
    return null;
  }
}
