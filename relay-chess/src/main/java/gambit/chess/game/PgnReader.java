package gambit.chess.game;

import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Position;
import gambit.chess.rules.SanMove;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one game in PGN's import format: any white space and line ends, comments, NAGs and
 * variations, any tags in any order, move numbers or none, SAN with or without check marks.
 *
 * <p>The text must be consistent: move numbers are the right ones, a move with a check mark gives
 * check, and the tag {@code Result} agrees with the end of the moves. Comments and variations are
 * skipped, except for clocks: {@code [%clk 0:04:57]} in a comment is the time that was left to the
 * side that has just moved.
 *
 * <p>For one thread and one text. The cost is about a microsecond for each move, and more in games
 * of thousands. A text has at most 2<sup>20</sup> characters, enough for every game: the 75-move
 * rule ends it after 118 times 150 plies, and a move with its clock has fewer than 50 characters.
 */
public final class PgnReader {
  private static final int MAX_QUOTED = 80;
  private static final int MAX_LENGTH = 1 << 20;

  /** The characters that end a word of the movetext. */
  private static final String DELIMITERS = "{}()[]<>;$\"";

  private static final int MAX_DIGITS = 6;

  private static final Pattern GLYPH = Pattern.compile("[!?]{1,2}");
  private static final Pattern CLOCK =
      Pattern.compile("\\[%clk\\s+(\\d{1,6}):([0-5]?\\d):([0-5]?\\d)(?:\\.(\\d)\\d*)?\\s*]");

  private final String text;
  private final Map<String, String> tags = new LinkedHashMap<>();
  private int at;
  private Position position = Position.initial();
  private PlayedMoves moves = PlayedMoves.NONE;
  private @Nullable Result result;

  private PgnReader(String text) {
    this.text = text;
  }

  public static PgnGame read(String text) throws PgnException {
    if (text.length() > MAX_LENGTH) {
      throw new PgnException("it is longer than any game");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && !isSpace(c)) {
        throw new PgnException("control characters are not allowed");
      }
    }
    return new PgnReader(text).read();
  }

  private PgnGame read() throws PgnException {
    skipSpace();
    while (at < text.length() && text.charAt(at) == '[') {
      tag();
      skipSpace();
    }
    Position initial = initial();
    position = initial;
    while (at < text.length()) {
      element();
      skipSpace();
    }
    if (result == null) {
      throw new PgnException("missing result at the end");
    }
    String tagged = tags.getOrDefault("Result", result.text());
    if (!tagged.equals(result.text())) {
      throw new PgnException(
          "the tag Result is " + quoted(tagged) + ", and the moves end with " + result.text());
    }
    return new PgnGame(Map.copyOf(tags), initial, moves, position, result);
  }

  /** Skips white space, rest-of-line comments and escaped lines. */
  private void skipSpace() {
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean lineBegins = at == 0 || text.charAt(at - 1) == '\n' || text.charAt(at - 1) == '\r';
      if (c == ';' || (c == '%' && lineBegins)) {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
          at++;
        }
      } else if (isSpace(c) || c == '\ufeff') {
        at++;
      } else {
        return;
      }
    }
  }

  private static boolean isSpace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private void tag() throws PgnException {
    int start = at++;
    skipSpace();
    String name = take(c -> c == '_' || (c < 128 && Character.isLetterOrDigit(c)));
    skipSpace();
    String value = string();
    skipSpace();
    if (name.isEmpty() || value == null || at >= text.length() || text.charAt(at++) != ']') {
      throw new PgnException("not a tag pair: " + quoted(text.substring(start)));
    }
    if (tags.put(name, value) != null) {
      throw new PgnException("duplicate tag: " + quoted(name));
    }
  }

  private @Nullable String string() {
    if (at >= text.length() || text.charAt(at++) != '"') {
      return null;
    }
    StringBuilder value = new StringBuilder();
    while (at < text.length() && text.charAt(at) >= ' ') {
      char c = text.charAt(at++);
      if (c == '"') {
        return value.toString();
      }
      value.append(c == '\\' && at < text.length() ? text.charAt(at++) : c);
    }
    return null;
  }

  private String take(IntPredicate wanted) {
    int start = at;
    while (at < text.length() && wanted.test(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private Position initial() throws PgnException {
    String fen = tags.get("FEN");
    return fen == null
        ? Position.initial()
        : Position.parseFen(fen)
            .orElseThrow(() -> new PgnException("FEN is not a position: " + quoted(fen)));
  }

  private void element() throws PgnException {
    switch (text.charAt(at)) {
      case '{' -> clock(comment());
      case '(' -> variation();
      case '$' -> glyph();
      default -> word(next());
    }
  }

  /** Reads a comment in braces, which do not nest. */
  private String comment() throws PgnException {
    int end = text.indexOf('}', at);
    if (end < 0) {
      throw new PgnException("unterminated comment: " + quoted(text.substring(at)));
    }
    String comment = text.substring(at + 1, end);
    at = end + 1;
    return comment;
  }

  private void variation() throws PgnException {
    int start = at;
    int depth = 0;
    do {
      skipSpace();
      if (at >= text.length()) {
        throw new PgnException("unterminated variation: " + quoted(text.substring(start)));
      }
      char c = text.charAt(at);
      if (c == '{') {
        comment();
      } else {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        at++;
      }
    } while (depth > 0);
  }

  private void glyph() throws PgnException {
    at++;
    String digits = take(c -> c >= '0' && c <= '9');
    if (digits.isEmpty() || digits.length() > 3) {
      throw new PgnException("not a NAG: " + quoted("$" + digits));
    }
  }

  private String next() throws PgnException {
    String word = take(c -> !isSpace(c) && DELIMITERS.indexOf(c) < 0);
    if (word.isEmpty()) {
      throw new PgnException("not a move: " + quoted(text.substring(at)));
    }
    return word;
  }

  /** Reads a move, a move number, both of them, or the result. */
  private void word(String word) throws PgnException {
    if (result != null) {
      throw new PgnException("text after the result: " + quoted(word));
    }
    result = Result.of(word).orElse(null);
    if (result != null) {
      return;
    }
    int digits = 0;
    while (digits < word.length() && digits < MAX_DIGITS && isDigit(word.charAt(digits))) {
      digits++;
    }
    int start = digits;
    while (start < word.length() && word.charAt(start) == '.') {
      start++;
    }
    boolean numbered = digits > 0 && (start == word.length() || start > digits);
    if (numbered && Integer.parseInt(word, 0, digits, 10) != position.fullmoveNumber()) {
      throw new PgnException(
          "ply " + (moves.size() + 1) + " has the wrong number: " + quoted(word));
    }
    String move = numbered || digits == 0 ? word.substring(start) : word;
    if (!move.isEmpty() && !GLYPH.matcher(move).matches()) {
      play(move);
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private void play(String san) throws PgnException {
    int ply = moves.size() + 1;
    if (position.outcome().isPresent()) {
      throw new PgnException("ply " + ply + " comes after the end of the game");
    }
    LegalMove move =
        SanMove.parse(san)
            .flatMap(it -> it.in(position))
            .orElseThrow(
                () ->
                    new PgnException("ply " + ply + " is not a legal move in SAN: " + quoted(san)));
    moves = moves.append(move.move(), ChessClock.UNTIMED);
    position = move.after();
  }

  private void clock(String comment) throws PgnException {
    if (!comment.contains("[%clk") || moves.size() == 0) {
      return;
    }
    Matcher clock = CLOCK.matcher(comment);
    if (!clock.find()) {
      throw new PgnException("ply " + moves.size() + " has no readable clock: " + quoted(comment));
    }
    long seconds =
        (Integer.parseInt(clock.group(1)) * 60L + Integer.parseInt(clock.group(2))) * 60
            + Integer.parseInt(clock.group(3));
    int tenth = clock.group(4) == null ? 0 : Integer.parseInt(clock.group(4));
    int tenths = (int) Math.min(seconds * 10 + tenth, Integer.MAX_VALUE);
    moves = moves.takeBack(1).append(moves.last(), tenths);
  }

  private static String quoted(String text) {
    String line = text.lines().findFirst().orElse("");
    String start = line.length() <= MAX_QUOTED ? line : line.substring(0, MAX_QUOTED) + "...";
    return '"' + start.replaceAll("[^ -~]", "?") + '"';
  }
}
