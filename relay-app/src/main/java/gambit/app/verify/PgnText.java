package gambit.app.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A game in PGN's export format, as text (PGN standard 8): its tag pairs, and the tokens of its
 * movetext without the comments in braces. No move of it is played, so that a hostile text costs no
 * more than its length: what the moves are, the players' events say.
 */
record PgnText(Map<String, String> tags, List<String> tokens) {
  private static final Pattern TAG_PAIR = Pattern.compile("\\[([A-Za-z0-9_]+) \"(.*)\"]");
  private static final Pattern ESCAPE = Pattern.compile("\\\\([\\\\\"])");

  /** Reads a text, or nothing when it is not of that form. */
  static Optional<PgnText> read(String text) {
    int end = text.indexOf("\n\n");
    if (end < 0) {
      return Optional.empty();
    }
    Map<String, String> tags = new LinkedHashMap<>();
    for (String line : text.substring(0, end).split("\n", -1)) {
      Matcher pair = TAG_PAIR.matcher(line);
      if (!pair.matches()
          || tags.put(pair.group(1), ESCAPE.matcher(pair.group(2)).replaceAll("$1")) != null) {
        return Optional.empty();
      }
    }
    return tokens(text, end).map(tokens -> new PgnText(tags, tokens));
  }

  private static Optional<List<String>> tokens(String text, int from) {
    List<String> tokens = new ArrayList<>();
    int at = from;
    while (at < text.length()) {
      int comment = text.indexOf('{', at);
      int stop = comment < 0 ? text.length() : comment;
      StringTokenizer words = new StringTokenizer(text.substring(at, stop), " \n");
      while (words.hasMoreTokens()) {
        tokens.add(words.nextToken());
      }
      int closed = comment < 0 ? stop - 1 : text.indexOf('}', comment);
      if (closed < 0) {
        return Optional.empty();
      }
      at = closed + 1;
    }
    return Optional.of(tokens);
  }
}
