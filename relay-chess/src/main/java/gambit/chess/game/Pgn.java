package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A finished game as text, in the export format of the PGN standard (sections 3.2 and 8).
 *
 * <p>Stateless; any thread. ASCII only; movetext lines have at most 79 characters, and one line
 * end, {@code \n}, closes the text. SAN is found by replaying the game, a few microseconds a move.
 */
public final class Pgn {

  private static final int LINE = 79;
  private static final DateTimeFormatter DATE = utc("uuuu.MM.dd");
  private static final DateTimeFormatter TIME = utc("HH:mm:ss");

  private Pgn() {}

  /** The record of a game: the seven tag roster, the other tags in ASCII order, and the moves. */
  public static String export(PgnTags tags, Over game) {
    Playing last = game.last();
    StringBuilder out = new StringBuilder(1024);
    Instant start = Instant.ofEpochMilli(last.startedAt());
    tag(out, "Event", tags.event());
    tag(out, "Site", tags.site());
    tag(out, "Date", DATE.format(start));
    tag(out, "Round", "-");
    tag(out, "White", tags.white());
    tag(out, "Black", tags.black());
    tag(out, "Result", game.result().text());
    String fen = last.initial().fen();
    if (!fen.equals(Rules.initial().fen())) {
      tag(out, "FEN", fen);
      tag(out, "SetUp", "1");
    }
    tag(out, "Termination", game.termination().pgn());
    tag(out, "TimeControl", tags.timeControl());
    tag(out, "UTCDate", DATE.format(start));
    tag(out, "UTCTime", TIME.format(start));
    out.append('\n');
    movetext(new Line(out), last, game.result());
    return out.append('\n').toString();
  }

  /** One tag pair; what is unknown is {@code ?}, and so is every character outside of ASCII. */
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

  private static void movetext(Line line, Playing game, Result result) {
    Position position = game.initial();
    boolean first = true;
    for (Move move : game.moves().toList()) {
      if (position.turn() == Side.WHITE) {
        line.add(position.fullmoveNumber() + ".");
      } else if (first) {
        line.add(position.fullmoveNumber() + "...");
      }
      line.add(position.san(move));
      position = position.play(move).orElseThrow();
      first = false;
    }
    line.add(result.text());
  }

  private static DateTimeFormatter utc(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  /** Tokens put one after the other, a space or a line end between two. */
  private static final class Line {
    private final StringBuilder out;
    private int width;

    Line(StringBuilder out) {
      this.out = out;
    }

    void add(String token) {
      if (width > 0) {
        boolean fits = width + 1 + token.length() <= LINE;
        out.append(fits ? ' ' : '\n');
        width = fits ? width + 1 : 0;
      }
      out.append(token);
      width += token.length();
    }
  }
}
