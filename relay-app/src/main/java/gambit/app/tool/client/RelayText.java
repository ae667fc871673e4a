package gambit.app.tool.client;

/** Makes text of a relay safe to print: characters other than printable ASCII become "?". */
public final class RelayText {
  private static final int MAX_BEGINNING_CHARS = 300;

  private RelayText() {}

  public static String printable(String text) {
    return text.replaceAll("[^ -~]", "?");
  }

  /** The same, with dots in place of everything after that number of characters. */
  public static String printable(String text, int maxChars) {
    return text.length() <= maxChars
        ? printable(text)
        : printable(text.substring(0, maxChars)) + "...";
  }

  /** The same, as a part of a sentence. */
  public static String beginning(String text) {
    return printable(text, MAX_BEGINNING_CHARS);
  }
}
