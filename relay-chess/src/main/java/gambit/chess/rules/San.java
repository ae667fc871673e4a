package gambit.chess.rules;

import java.util.Locale;

/** Standard Algebraic Notation (PGN 8.2.3). Pure. */
final class San {
  private static final long FILE_A = 0x0101010101010101L;

  private San() {}

  static String write(Position position, Move move) {
    Position next =
        position
            .play(move)
            .orElseThrow(() -> new IllegalArgumentException(move.uci() + " is illegal"));
    String check = !next.inCheck() ? "" : next.legalMoves().isEmpty() ? "#" : "+";
    return body(position, move) + check;
  }

  private static String body(Position position, Move move) {
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
  private static String from(Position position, Move move, PieceKind kind) {
    long others = position.origins(kind, move.to()) & ~(1L << move.from());
    if (others == 0) {
      return "";
    }
    String name = Move.name(move.from());
    if ((others & FILE_A << move.from() % 8) == 0) {
      return name.substring(0, 1);
    }
    return (others & Attacks.RANK_1 << (move.from() & 56)) == 0 ? name.substring(1) : name;
  }

  private static String letter(PieceKind kind) {
    return String.valueOf(kind.letter()).toUpperCase(Locale.ROOT);
  }
}
