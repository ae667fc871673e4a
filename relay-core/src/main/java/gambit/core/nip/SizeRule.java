package gambit.core.nip;

import gambit.core.model.KindSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound on the size of events of some kinds. Immutable.
 *
 * @param bytes maximum length of an event's JSON text, as the relay serves it, in bytes
 */
public record SizeRule(KindSet kinds, int bytes) {
  private static final Pattern FORM = Pattern.compile("(\\S+)\\s+([1-9][0-9]{0,5})(K|M)?");

  /**
   * Reads {@code <kinds> <size>}, where the kinds are as in {@link KindSet#parse(String)}, and the
   * size is in bytes, or with K or M in 1,024 or 1,048,576 bytes: {@code 0+10000-19999 16K}.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static SizeRule parse(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException("expected kinds and a size, as in 30023 64K or * 8K");
    }
    int unit = parts.group(3) == null ? 1 : parts.group(3).equals("K") ? 1 << 10 : 1 << 20;
    long bytes = Long.parseLong(parts.group(2)) * unit;
    return new SizeRule(KindSet.parse(parts.group(1)), (int) Math.min(bytes, Integer.MAX_VALUE));
  }
}
