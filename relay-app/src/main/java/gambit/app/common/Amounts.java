package gambit.app.common;

import java.util.Locale;

/** Numbers of things and sizes in the output of commands. */
public final class Amounts {
  private static final long KILOBYTE = 1 << 10;
  private static final long MEGABYTE = 1 << 20;

  private Amounts() {}

  /**
   * A number with a noun, of which the plural ends with an s: {@code 1 event}, {@code 2 events}.
   */
  public static String of(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }

  /** A size in megabytes of 2^20 bytes, a small one in kilobytes of 2^10, rounded up. */
  public static String ofBytes(long bytes) {
    return bytes < MEGABYTE / 10
        ? (bytes + KILOBYTE - 1) / KILOBYTE + " kB"
        : String.format(Locale.ROOT, "%.1f MB", bytes / (double) MEGABYTE);
  }
}
