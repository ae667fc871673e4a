package gambit.chess.rules;

import java.util.Locale;

/** Standard Algebraic Notation (PGN 8.2.3). Pure. */
final class San {
  private San() {}

  static String write(BitboardPosition position, Move move) {
    Position next =
        position
            .play(move)
            .orElseThrow(() -> new IllegalArgumentException(move.uci() + " is illegal"));
    String check = !next.inCheck() ? "" : next.legalMoves().isEmpty() ? "#" : "+";
    return body(position, move) + check;
  }

  private static String body(BitboardPosition position, Move move) {
    PieceKind kind = position.board().kindAt(move.from());
    boolean capture = position.board().kindAt(move.to()) != null;
    String to = Move.name(move.to());
    if (kind == PieceKind.KING && Math.abs(move.to() - move.from()) == 2) {
      return move.to() > move.from() ? "O-O" : "O-O-O";
    } else if (kind == PieceKind.PAWN || kind == null) {
      boolean captures = move.from() % 8 != move.to() % 8;
      String promotion = move.promotion() == null ? "" : "=" + letter(move.promotion());
      return (captures ? Move.name(move.from()).charAt(0) + "x" : "") + to + promotion;
    }
    return letter(kind) + from(position, move, kind) + (capture ? "x" : "") + to;
  }

  /** The shortest unambiguous origin of a piece: nothing, its file, its rank, or both. */
  private static String from(BitboardPosition position, Move move, PieceKind kind) {
    String name = Move.name(move.from());
    boolean others = false;
    boolean sameFile = false;
    boolean sameRank = false;
    for (Move other : position.legalMoves()) {
      if (other.to() == move.to()
          && other.from() != move.from()
          && position.board().kindAt(other.from()) == kind) {
        others = true;
        sameFile |= other.from() % 8 == move.from() % 8;
        sameRank |= other.from() / 8 == move.from() / 8;
      }
    }
    if (!others) {
      return "";
    } else if (!sameFile) {
      return name.substring(0, 1);
    }
    return sameRank ? name : name.substring(1);
  }

  private static String letter(PieceKind kind) {
    return String.valueOf(kind.letter()).toUpperCase(Locale.ROOT);
  }
}
