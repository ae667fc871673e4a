package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads what {@link Pgn} writes, and nothing else.
 *
 * <p>Stateless; any thread. What was read is written again, and has to be the same text: so every
 * record has one reading, no two records have the same one, and whatever the text is changed to, it
 * is another game or none. The work grows with the length of the text, some 20 microseconds a move;
 * a text is at most 2<sup>20</sup> characters long, in which every game has room: the 75-move rule
 * ends it after 118 times 150 plies, and a move with its clock has fewer than 50 characters.
 */
public final class PgnReader {

  private static final String CLOCK = "{[%clk";
  private static final int QUOTED = 80;
  private static final int LONGEST = 1 << 20;
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("uuuu.MM.dd HH:mm:ss", Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private PgnReader() {}

  /**
   * Reads a record.
   *
   * @throws PgnException when it is not one that {@link Pgn} could have written
   */
  public static PgnGame read(String text) throws PgnException {
    if (text.length() > LONGEST) {
      throw new PgnException("it is longer than any game");
    }
    if (!text.chars().allMatch(c -> c == '\n' || (c >= ' ' && c <= '~'))) {
      throw new PgnException("there are characters that are not printable ASCII");
    }
    int gap = text.indexOf("\n\n");
    if (gap < 0) {
      throw new PgnException("there is no empty line between tags and moves");
    }
    Map<String, String> tags = tags(text.substring(0, gap));
    Position initial = initial(tags);
    TimeControl control =
        TimeControl.parse(value(tags, "TimeControl"))
            .orElseThrow(() -> new PgnException("TimeControl is none that is played here"));
    String[] words = text.substring(gap + 2).strip().split("[ \n]+");
    Result result = result(words[words.length - 1]);
    PlayedMoves moves = moves(words, initial, !control.isUntimed());
    PgnTags named =
        new PgnTags(
            value(tags, "Event"), value(tags, "Site"), value(tags, "White"), value(tags, "Black"));
    Map<String, String> again =
        Pgn.tags(named, initial, result, termination(tags), control, startedAt(tags));
    PgnGame game = new PgnGame(again, initial, moves, result);
    compare(text, Pgn.text(game));
    return game;
  }

  private static Map<String, String> tags(String lines) throws PgnException {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String line : lines.split("\n", -1)) {
      int space = line.indexOf(" \"");
      if (!line.startsWith("[") || space < 0 || !line.endsWith("\"]")) {
        throw new PgnException("no tag pair: " + quoted(line));
      }
      String escaped = line.substring(space + 2, Math.max(space + 2, line.length() - 2));
      if (tags.put(line.substring(1, space), unescaped(escaped)) != null) {
        throw new PgnException("twice the same tag: " + quoted(line));
      }
    }
    return tags;
  }

  private static String unescaped(String escaped) {
    StringBuilder value = new StringBuilder(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      if (escaped.charAt(i) == '\\' && i + 1 < escaped.length()) {
        i++;
      }
      value.append(escaped.charAt(i));
    }
    return value.toString();
  }

  private static String value(Map<String, String> tags, String name) throws PgnException {
    String value = tags.get(name);
    if (value == null) {
      throw new PgnException("there is no tag " + name);
    }
    return value;
  }

  private static Position initial(Map<String, String> tags) throws PgnException {
    String fen = tags.get("FEN");
    return fen == null
        ? Rules.initial()
        : Rules.parseFen(fen)
            .orElseThrow(() -> new PgnException("FEN is no position: " + quoted(fen)));
  }

  private static String termination(Map<String, String> tags) throws PgnException {
    String termination = value(tags, "Termination");
    if (Arrays.stream(Termination.values()).noneMatch(it -> it.pgn().equals(termination))) {
      throw new PgnException("Termination is none of the known: " + quoted(termination));
    }
    return termination;
  }

  private static long startedAt(Map<String, String> tags) throws PgnException {
    String start = value(tags, "UTCDate") + " " + value(tags, "UTCTime");
    try {
      return LocalDateTime.parse(start, START).toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeException e) {
      throw new PgnException("UTCDate and UTCTime are no time: " + quoted(start));
    }
  }

  private static Result result(String word) throws PgnException {
    return Arrays.stream(Result.values())
        .filter(result -> result.text().equals(word))
        .findAny()
        .orElseThrow(() -> new PgnException("there is no result at the end"));
  }

  /** The moves of all words but the last; their numbers are left to the comparison. */
  private static PlayedMoves moves(String[] words, Position initial, boolean timed)
      throws PgnException {
    PlayedMoves moves = PlayedMoves.NONE;
    Position position = initial;
    int end = words.length - 1;
    for (int i = 0; i < end; i++) {
      if (!words[i].endsWith(".")) {
        if (position.outcome().isPresent()) {
          throw new PgnException("ply " + (moves.size() + 1) + " comes after the end of the game");
        }
        Move move = move(position, words[i], moves.size() + 1);
        int clock = ChessClock.NONE;
        if (timed) {
          boolean given = i + 2 < end && words[i + 1].equals(CLOCK);
          clock = given ? tenths(words[i + 2]) : ChessClock.NONE;
          if (clock < 0) {
            throw new PgnException("ply " + (moves.size() + 1) + " has no clock");
          }
          i += 2;
        }
        moves = moves.append(move, clock);
        position = position.play(move).orElseThrow();
      }
    }
    return moves;
  }

  private static Move move(Position position, String san, int ply) throws PgnException {
    for (Move move : position.legalMoves()) {
      boolean near = san.startsWith("O-O") || san.contains(move.uci().substring(2, 4));
      if (near && position.san(move).equals(san)) {
        return move;
      }
    }
    throw new PgnException("ply " + ply + " is no legal move in its SAN: " + quoted(san));
  }

  /** The tenths of seconds of {@code 0:05:00]}}, or -1. */
  private static int tenths(String word) {
    String[] parts = word.replace("]}", "").split(":", -1);
    long seconds = 0;
    for (String part : parts) {
      boolean digits = part.chars().allMatch(c -> c >= '0' && c <= '9');
      if (!digits || part.isEmpty() || part.length() > 6) {
        return ChessClock.NONE;
      }
      seconds = seconds * 60 + Integer.parseInt(part);
    }
    return parts.length == 3 && seconds <= Integer.MAX_VALUE / 10
        ? (int) seconds * 10
        : ChessClock.NONE;
  }

  private static void compare(String text, String again) throws PgnException {
    String[] found = text.split("\n", -1);
    String[] due = again.split("\n", -1);
    int line = Arrays.mismatch(found, due);
    if (line >= 0) {
      throw new PgnException(
          "line " + (line + 1) + " is " + at(found, line) + " and should be " + at(due, line));
    }
  }

  private static String at(String[] lines, int line) {
    return line < lines.length ? quoted(lines[line]) : "missing";
  }

  private static String quoted(String text) {
    return '"' + (text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "...") + '"';
  }
}
