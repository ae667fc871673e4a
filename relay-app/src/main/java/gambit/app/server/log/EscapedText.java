package gambit.app.server.log;

/**
 * Text that may come from a client, written so that it stays within its line and its JSON string:
 * every character that ends a line, controls a terminal or reorders text becomes an escape
 * sequence.
 */
final class EscapedText {
  private EscapedText() {}

  /** Appends a text for a line of text; one longer than the bound is cut, and ends with "…". */
  static void append(StringBuilder out, String text, int maxChars) {
    append(out, text, maxChars, false);
  }

  /** Appends a text for a JSON string, without the quotation marks around it. */
  static void appendJson(StringBuilder out, String text, int maxChars) {
    append(out, text, maxChars, true);
  }

  private static void append(StringBuilder out, String text, int maxChars, boolean isJson) {
    int end = Math.min(text.length(), maxChars);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (isJson && (c == '"' || c == '\\')) {
        out.append('\\').append(c);
      } else if (c == '\n') {
        out.append("\\n");
      } else if (c == '\r') {
        out.append("\\r");
      } else if (c == '\t') {
        out.append("\\t");
      } else if (mustBeEscaped(text, i)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    if (end < text.length()) {
      out.append('…');
    }
  }

  private static boolean mustBeEscaped(String text, int at) {
    char c = text.charAt(at);
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      case Character.SURROGATE -> !isHalfOfPair(text, at);
      default -> false;
    };
  }

  private static boolean isHalfOfPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }
}
