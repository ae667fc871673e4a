package gambit.app.tool.demo;

import gambit.chess.rules.Piece;
import gambit.chess.rules.Position;

/** A text diagram of a position, seen from White. */
final class BoardDiagram {
  private BoardDiagram() {}

  static String draw(Position position) {
    StringBuilder out = new StringBuilder();
    for (int rank = 7; rank >= 0; rank--) {
      out.append("  ").append(rank + 1).append("  ");
      for (int file = 0; file < 8; file++) {
        out.append(position.at(rank * 8 + file).map(Piece::fenLetter).orElse('.')).append(' ');
      }
      out.append('\n');
    }
    return out.append("\n     a b c d e f g h\n").toString();
  }
}
