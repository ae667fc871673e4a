package gambit.app.config;

/** Text of the operator as errors print it: on one line, and not too long. */
final class Printable {
  private static final int MAX_LENGTH = 120;

  private Printable() {}

  static String text(String text) {
    String line = text.strip().replaceAll("\\s+|\\p{Cntrl}", " ");
    return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
  }
}
