package gambit.app.common;

import java.util.Set;

/**
 * Text of strangers, made safe for a line of a terminal or of the log: characters that end a line,
 * control a terminal, or reorder text are replaced or escaped. Pure.
 */
public final class SafeText {
  private static final int MAX_CHARS = 300;

  /** Types of characters that end a line, control a terminal or reorder text. */
  private static final Set<Byte> UNSAFE =
      Set.of(
          Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR);

  private static final Set<Byte> UNPRINTABLE =
      Set.of(
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.NON_SPACING_MARK,
          Character.ENCLOSING_MARK);

  private SafeText() {}

  public static String of(String text) {
    return of(text, MAX_CHARS);
  }

  /**
   * A text for a line of a terminal. Line breaks and tabs become spaces, other unsafe characters
   * and marks, which can be piled up, question marks. A text longer than the bound is cut, and ends
   * with "...".
   */
  public static String of(String text, int maxChars) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length() && out.length() < maxChars) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      if (c == '\n' || c == '\t') {
        out.append(' ');
      } else if (isUnsafe(c) || isUnprintable(c)) {
        out.append('?');
      } else {
        out.appendCodePoint(c);
      }
    }
    return at < text.length() ? out.append("...").toString() : out.toString();
  }

  /** Appends a text for a line of the log; one longer than the bound is cut, and ends with "…". */
  public static void escape(StringBuilder out, String text, int maxChars) {
    escape(out, text, maxChars, false);
  }

  /** Appends a text for a JSON string, without the quotation marks around it. */
  public static void escapeJson(StringBuilder out, String text, int maxChars) {
    escape(out, text, maxChars, true);
  }

  private static void escape(StringBuilder out, String text, int maxChars, boolean isJson) {
    int end = Math.min(text.length(), maxChars);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean isPair = Character.isHighSurrogate(c) && i + 1 < end;
      int codePoint = isPair ? text.codePointAt(i) : c;
      if (isJson && (c == '"' || c == '\\')) {
        out.append('\\').append(c);
      } else if (c == '\n') {
        out.append("\\n");
      } else if (c == '\r') {
        out.append("\\r");
      } else if (c == '\t') {
        out.append("\\t");
      } else if (!isUnsafe(codePoint)) {
        out.appendCodePoint(codePoint);
        i += Character.charCount(codePoint) - 1;
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    if (end < text.length()) {
      out.append('…');
    }
  }

  private static boolean isUnsafe(int codePoint) {
    return UNSAFE.contains((byte) Character.getType(codePoint));
  }

  private static boolean isUnprintable(int codePoint) {
    return UNPRINTABLE.contains((byte) Character.getType(codePoint));
  }
}
