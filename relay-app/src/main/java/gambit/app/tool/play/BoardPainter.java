package gambit.app.tool.play;

import gambit.chess.rules.Move;
import gambit.chess.rules.Piece;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jspecify.annotations.Nullable;

/** Draws the board, from either side, with the last move marked. Pure. */
final class BoardPainter {
  /** The columns of a board, with the numbers of its ranks. */
  static final int COLUMNS = 27;

  /** The letters of the kinds, in the order of the texts below. */
  private static final String LETTERS = "pnbrqk";

  private static final String FILLED = "♟♞♝♜♛♚";
  private static final String OUTLINED = "♙♘♗♖♕♔";

  private final Palette palette;

  BoardPainter(Palette palette) {
    this.palette = palette;
  }

  List<AttributedString> draw(Position position, @Nullable Move last, Side bottom) {
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
    return String.valueOf((outlined ? OUTLINED : FILLED).charAt(index(piece.kind())));
  }

  private static int index(PieceKind kind) {
    return LETTERS.indexOf(kind.letter());
  }
}
