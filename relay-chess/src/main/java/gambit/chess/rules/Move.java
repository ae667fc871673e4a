package gambit.chess.rules;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A move as in UCI, where castling is a move of the king. Squares are numbers: 0 = a1, 7 = h1, 63 =
 * h8.
 */
public record Move(int from, int to, @Nullable PieceKind promotion) {

  /**
   * Reads {@code [a-h][1-8][a-h][1-8][qrbn]?}, the last letter in either case, and nothing else.
   */
  public static Optional<Move> parse(CharSequence uci) {
    int length = uci.length();
    if (length < 4 || length > 5) {
      return Optional.empty();
    }
    int from = square(uci.charAt(0), uci.charAt(1));
    int to = square(uci.charAt(2), uci.charAt(3));
    PieceKind promotion = length == 5 ? promotion(uci.charAt(4)) : null;
    if (from < 0 || to < 0 || (length == 5 && promotion == null)) {
      return Optional.empty();
    }
    return Optional.of(new Move(from, to, promotion));
  }

  /** The square of a file letter and a rank digit, or -1. */
  public static int square(char file, char rank) {
    return file < 'a' || file > 'h' || rank < '1' || rank > '8'
        ? -1
        : (rank - '1') * 8 + file - 'a';
  }

  static String name(int square) {
    return "" + (char) ('a' + square % 8) + (char) ('1' + square / 8);
  }

  private static @Nullable PieceKind promotion(char letter) {
    PieceKind kind = PieceKind.of(letter);
    return kind == PieceKind.PAWN || kind == PieceKind.KING ? null : kind;
  }

  public String uci() {
    return name(from) + name(to) + (promotion == null ? "" : promotion.letter());
  }
}
