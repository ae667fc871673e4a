package gambit.app.server.search;

import java.util.function.BiConsumer;

/**
 * Reads the tag pairs at the start of any text that may be PGN (PGN standard 8.1), up to the first
 * character that does not belong to one. Stateless.
 */
final class PgnTagPairs {
  private final String text;
  private int at;

  private PgnTagPairs(String text) {
    this.text = text;
  }

  /** Passes on the name and the value of each tag pair. */
  static void read(String text, BiConsumer<String, String> pairs) {
    new PgnTagPairs(text).readAll(pairs);
  }

  private void readAll(BiConsumer<String, String> pairs) {
    skipSpace();
    while (take('[')) {
      skipSpace();
      int nameAt = at;
      while (at < text.length() && isNameCharacter(text.charAt(at))) {
        at++;
      }
      String name = text.substring(nameAt, at);
      skipSpace();
      if (!take('"')) {
        return;
      }
      String value = takeValue();
      skipSpace();
      if (!take(']')) {
        return;
      }
      pairs.accept(name, value);
      skipSpace();
    }
  }

  /** The rest of a quoted value, in which a backslash escapes the next character. */
  private String takeValue() {
    StringBuilder value = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      if (text.charAt(at) == '\\' && at + 1 < text.length()) {
        at++;
      }
      value.append(text.charAt(at++));
    }
    take('"');
    return value.toString();
  }

  private boolean take(char c) {
    boolean isThere = at < text.length() && text.charAt(at) == c;
    if (isThere) {
      at++;
    }
    return isThere;
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private static boolean isNameCharacter(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
