package gambit.app.tool.play;

import gambit.app.tool.client.GameView;
import gambit.app.tool.client.GameView.GameClocks;
import gambit.app.tool.client.GameView.Presence;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Move;
import gambit.chess.rules.Piece;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.InfoCmp.Capability;
import org.jspecify.annotations.Nullable;

/** Draws a game: board, players with clocks, and the moves beside them. Immutable. */
final class GamePainter {
  /** The lines of a game: two players, eight ranks, the files. */
  static final int LINES = 11;

  private static final long ALARM_MILLIS = 20_000;
  private static final int MOVE_LINES = LINES - 2;

  /** The columns of a board, with the numbers of its ranks. */
  private static final int BOARD_COLUMNS = 27;

  /** The letters of the kinds, in the order of the texts below. */
  private static final String LETTERS = "pnbrqk";

  private static final String FILLED = "♟♞♝♜♛♚";
  private static final String OUTLINED = "♙♘♗♖♕♔";

  private final Palette palette;

  GamePainter(Palette palette) {
    this.palette = palette;
  }

  List<AttributedString> draw(GameView game, Side bottom, int columns, long now) {
    List<AttributedString> lines = new ArrayList<>();
    List<Move> moves = game.moves();
    Move last = moves.isEmpty() ? null : moves.get(moves.size() - 1);
    List<AttributedString> ranks = board(game.position(), last, bottom);
    List<String> side = columns > BOARD_COLUMNS + 20 ? moveLines(game) : List.of();
    lines.add(player(game, bottom.opponent(), now));
    for (int i = 0; i < ranks.size(); i++) {
      AttributedStringBuilder line = new AttributedStringBuilder().append(ranks.get(i));
      if (i < side.size()) {
        line.append(" ".repeat(BOARD_COLUMNS - ranks.get(i).columnLength()));
        line.append("  ").append(side.get(i));
      }
      lines.add(line.toAttributedString());
    }
    lines.add(player(game, bottom, now));
    return lines;
  }

  private AttributedString player(GameView game, Side side, long now) {
    AttributedStringBuilder line = new AttributedStringBuilder();
    boolean isToMove = game.isRunning() && game.position().turn() == side;
    line.append(isToMove ? (palette.unicode() ? "▶ " : "> ") : "  ");
    String who = game.terms().ours() == side ? "You" : Wording.player(game.terms().player(side));
    line.styled(palette.strong(), who).append(" (" + Wording.name(side) + ")");
    GameClocks clocks = game.clocks();
    if (clocks != null) {
      long left = clocks.left(side, now);
      boolean isAlarming = clocks.running() == side && left < ALARM_MILLIS;
      AttributedStyle style = isAlarming ? palette.alarm() : palette.strong();
      line.append("  ").styled(style, Wording.clock(left));
    }
    Presence presence = game.presence();
    Instant awaySince = presence == null ? null : presence.awaySince(side);
    if (awaySince != null && game.isRunning()) {
      long seconds = Math.max(0, now / 1000 - awaySince.getEpochSecond());
      line.append("  ").styled(palette.alarm(), "away for " + seconds + " s");
    }
    return line.toAttributedString();
  }

  private List<String> moveLines(GameView game) {
    List<String> lines = new ArrayList<>();
    if (!game.complete()) {
      lines.add("(earlier moves are unknown)");
    }
    List<String> played = game.terms().initial().sans(game.moves());
    if (game.terms().initial().turn() == Side.BLACK && !played.isEmpty()) {
      played.add(0, "...");
    }
    int number = game.terms().initial().fullmoveNumber();
    List<String> all = new ArrayList<>();
    for (int at = 0; at < played.size(); at += 2) {
      String reply = at + 1 < played.size() ? played.get(at + 1) : "";
      all.add("%3d. %-7s %s".formatted(number++, played.get(at), reply));
    }
    Presence presence = game.presence();
    int watching = presence == null ? 0 : presence.watching();
    int room = MOVE_LINES - lines.size() - (watching > 0 ? 1 : 0);
    lines.addAll(all.subList(Math.max(0, all.size() - room), all.size()));
    if (watching > 0) {
      lines.add(watching == 1 ? "1 spectator" : watching + " spectators");
    }
    return lines;
  }

  /** The state of a game in a sentence: the result, a standing proposal, or the side to move. */
  static String status(GameView game) {
    Side ours = game.terms().ours();
    if (game.ending() != null) {
      return Wording.ending(game.terms(), game.ending());
    }
    Proposal proposal = game.proposal();
    if (proposal != null) {
      boolean isDraw = proposal.type() == Proposal.Type.DRAW;
      String what = isDraw ? "a draw" : "to take a move back";
      if (game.hasProposalOfOpponent()) {
        return "Your opponent " + (isDraw ? "offers " : "asks ") + what + ": accept or decline.";
      }
      String by = proposal.by() == ours ? "You" : Wording.name(proposal.by());
      return by + (isDraw ? " offered " : " asked ") + what + ".";
    }
    Side turn = game.position().turn();
    String who = ours == null ? Wording.name(turn) : "Your opponent";
    String check = game.position().inCheck() ? " Check." : "";
    return (turn == ours ? "Your move." : who + " is to move.") + check;
  }

  List<AttributedString> board(Position position, @Nullable Move last, Side bottom) {
    List<AttributedString> lines = new ArrayList<>();
    for (int row = 0; row < 8; row++) {
      int rank = bottom == Side.WHITE ? 7 - row : row;
      AttributedStringBuilder line = new AttributedStringBuilder();
      line.styled(palette.faint(), (rank + 1) + " ");
      for (int column = 0; column < 8; column++) {
        int file = bottom == Side.WHITE ? column : 7 - column;
        int square = rank * 8 + file;
        boolean isMarked = last != null && (square == last.from() || square == last.to());
        drawSquare(line, position.at(square), (rank + file) % 2 != 0, isMarked);
      }
      lines.add(line.toAttributedString());
    }
    String files = bottom == Side.WHITE ? "abcdefgh" : "hgfedcba";
    AttributedStringBuilder letters = new AttributedStringBuilder().append("  ");
    files.chars().forEach(file -> letters.styled(palette.faint(), " " + (char) file + " "));
    lines.add(letters.toAttributedString());
    return lines;
  }

  private void drawSquare(
      AttributedStringBuilder line, Optional<Piece> piece, boolean light, boolean marked) {
    String text = piece.map(this::text).orElse(palette.colours() ? " " : ".");
    boolean white = piece.isPresent() && piece.get().side() == Side.WHITE;
    boolean bracketed = marked && !palette.colours();
    String cell = bracketed ? "[" + text + "]" : " " + text + " ";
    line.styled(palette.square(light, marked, white), cell);
  }

  private String text(Piece piece) {
    if (!palette.unicode()) {
      return String.valueOf(piece.fenLetter());
    }
    boolean outlined = !palette.colours() && piece.side() == Side.WHITE;
    int index = LETTERS.indexOf(piece.kind().letter());
    return String.valueOf((outlined ? OUTLINED : FILLED).charAt(index));
  }

  /** What a terminal shows: 8 colours (unless NO_COLOR), 256, chess characters. Immutable. */
  record Palette(boolean colours, boolean rich, boolean unicode) {
    static Palette of(Terminal terminal, boolean ascii, String noColor) {
      Integer count = terminal.getNumericCapability(Capability.max_colors);
      boolean isDumb = terminal.getType().startsWith(Terminal.TYPE_DUMB);
      boolean isUtf8 = terminal.encoding().name().equals("UTF-8");
      int colours = isDumb || count == null || !noColor.isEmpty() ? 0 : count;
      return new Palette(colours >= 8, colours >= 256, isUtf8 && !ascii && !isDumb);
    }

    AttributedStyle square(boolean light, boolean marked, boolean white) {
      if (!colours) {
        return AttributedStyle.DEFAULT;
      } else if (!rich) {
        AttributedStyle style =
            AttributedStyle.DEFAULT.foreground(
                white ? AttributedStyle.WHITE : AttributedStyle.BLACK);
        int back =
            marked ? AttributedStyle.YELLOW : light ? AttributedStyle.CYAN : AttributedStyle.BLUE;
        return (white ? style.bold() : style).background(back);
      }
      int back = marked ? (light ? 143 : 136) : light ? 109 : 66;
      return AttributedStyle.DEFAULT.foreground(white ? 231 : 16).background(back).bold();
    }

    AttributedStyle faint() {
      return colours ? AttributedStyle.DEFAULT.faint() : AttributedStyle.DEFAULT;
    }

    AttributedStyle strong() {
      return colours ? AttributedStyle.DEFAULT.bold() : AttributedStyle.DEFAULT;
    }

    AttributedStyle alarm() {
      return colours
          ? AttributedStyle.DEFAULT.foreground(AttributedStyle.RED).bold()
          : AttributedStyle.DEFAULT;
    }
  }
}
