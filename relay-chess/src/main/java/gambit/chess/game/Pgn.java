package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes finished games in PGN's export format (PGN standard 3.2 and 8).
 *
 * <p>Stateless; any thread. ASCII only. Movetext lines have at most 79 characters, and the text
 * ends with one line end, {@code \n}. In a timed game each move is followed by its side's clock in
 * whole seconds: {@code {[%clk 0:04:57]}}. {@link PgnReader} reads the result. SAN is computed by
 * replaying the game, which takes a few microseconds for each move.
 */
public final class Pgn {

  private static final int MAX_LINE_LENGTH = 79;
  private static final DateTimeFormatter DATE = utc("uuuu.MM.dd");
  private static final DateTimeFormatter TIME = utc("HH:mm:ss");

  private Pgn() {}

  /** Writes a game: the seven tag roster, the other tags in ASCII order, and the moves. */
  public static String export(PgnTags tags, FinishedGame game) {
    OngoingGame last = game.last();
    String termination = game.termination().pgn();
    return text(
        new PgnGame(
            tags(
                tags, last.initial(), game.result(), termination, last.control(), last.startedAt()),
            last.initial(),
            last.moves(),
            last.position(),
            game.result()));
  }

  public static Map<String, String> tags(
      PgnTags named,
      Position initial,
      Result result,
      String termination,
      TimeControl control,
      long startedAt) {
    Instant start = Instant.ofEpochMilli(startedAt);
    Map<String, String> tags = new LinkedHashMap<>();
    tags.put("Event", named.event());
    tags.put("Site", named.site());
    tags.put("Date", DATE.format(start));
    tags.put("Round", "-");
    tags.put("White", named.white().name());
    tags.put("Black", named.black().name());
    tags.put("Result", result.text());
    Map<String, String> others = new TreeMap<>();
    addPlayer(others, "White", named.white());
    addPlayer(others, "Black", named.black());
    String fen = initial.fen();
    if (!fen.equals(Position.initial().fen())) {
      others.put("FEN", fen);
      others.put("SetUp", "1");
    }
    others.put("Termination", termination);
    others.put("TimeControl", control.text());
    others.put("UTCDate", DATE.format(start));
    others.put("UTCTime", TIME.format(start));
    tags.putAll(others);
    return Collections.unmodifiableMap(tags);
  }

  private static void addPlayer(Map<String, String> tags, String side, PgnTags.Player player) {
    if (player.elo() != 0) {
      tags.put(side + "Elo", "" + player.elo());
    }
    if (player.level() > 0) {
      tags.put(side + "Level", "" + player.level());
      tags.put(side + "Type", "program");
    }
  }

  static String text(PgnGame game) {
    StringBuilder out = new StringBuilder(1024);
    game.tags().forEach((name, value) -> tag(out, name, value));
    out.append('\n');
    movetext(new Line(out), game);
    return out.append('\n').toString();
  }

  /** Writes a tag pair; an unknown value, and each character outside of ASCII, is {@code ?}. */
  private static void tag(StringBuilder out, String name, String value) {
    out.append('[').append(name).append(" \"");
    if (value.isEmpty()) {
      out.append('?');
    }
    value
        .codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                out.append('\\');
              }
              out.append(c >= ' ' && c <= '~' ? (char) c : '?');
            });
    out.append("\"]\n");
  }

  /** Numbers White's moves, and Black's at the start and after a comment. */
  private static void movetext(Line line, PgnGame game) {
    Position position = game.initial();
    boolean numbered = true;
    int[] clocks = game.moves().clocks();
    int ply = 0;
    for (Move move : game.moves().toList()) {
      boolean white = position.turn() == Side.WHITE;
      if (white || numbered) {
        line.add(position.fullmoveNumber() + (white ? "." : "..."));
      }
      line.add(position.san(move));
      int clock = clocks[ply++];
      numbered = clock >= 0;
      if (numbered) {
        line.add(clockComment(clock / 10));
      }
      position = position.play(move).orElseThrow();
    }
    line.add(game.result().text());
  }

  private static String clockComment(int seconds) {
    return "{[%clk " // not by a formatter, which would take as long as everything else
        + seconds / 3600
        + twoDigits(seconds / 60 % 60)
        + twoDigits(seconds % 60)
        + "]}";
  }

  private static String twoDigits(int number) {
    return (number < 10 ? ":0" : ":") + number;
  }

  private static DateTimeFormatter utc(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  /** Tokens separated by a space or a line end. */
  private static final class Line {
    private final StringBuilder out;
    private int width;

    Line(StringBuilder out) {
      this.out = out;
    }

    void add(String token) {
      if (width > 0) {
        boolean fits = width + 1 + token.length() <= MAX_LINE_LENGTH;
        out.append(fits ? ' ' : '\n');
        width = fits ? width + 1 : 0;
      }
      out.append(token);
      width += token.length();
    }
  }
}
