package gambit.app.bench;

/** The text of a relay for a terminal: its beginning, other than printable ASCII as "?". */
final class Printable {
  private static final int MAX_CHARS = 300;

  private Printable() {}

  static String of(String text) {
    String begin = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "..." : text;
    return begin.replaceAll("[^ -~]", "?");
  }
}
