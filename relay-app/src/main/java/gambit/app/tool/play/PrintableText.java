package gambit.app.tool.play;

import gambit.core.model.Npub;
import gambit.core.model.PubKey;

/** Makes text of the network safe to print in a terminal. Pure. */
final class PrintableText {
  private static final int MAX_CHARS = 300;
  private static final String REPLACEMENT = "?";

  private PrintableText() {}

  /**
   * The text without control characters, which a terminal could obey, and without format
   * characters, which could reorder or hide text; shortened if it is long.
   */
  static String of(String text) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length() && out.length() < MAX_CHARS) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      if (c == '\n' || c == '\t') {
        out.append(' ');
      } else if (isPrintable(c)) {
        out.appendCodePoint(c);
      } else {
        out.append(REPLACEMENT);
      }
    }
    return at < text.length() ? out.append("...").toString() : out.toString();
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.NON_SPACING_MARK,
          Character.ENCLOSING_MARK ->
          false;
      default -> true;
    };
  }

  /** A short form of a player's npub. */
  static String of(PubKey player) {
    String npub = Npub.of(player);
    return npub.substring(0, 10) + ".." + npub.substring(npub.length() - 4);
  }
}
