package gambit.chess.rules;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Long algebraic notation in the variants that clients write: {@code e2e4}, {@code e7e8q}, {@code
 * e7-e8=Q}, {@code Ng1-f3}, {@code Bb5xc6+}, {@code O-O}. Pure.
 */
public final class LongAlgebraic {
  private static final Pattern FORM =
      Pattern.compile(
          "(?<piece>[KQRBN]?)(?<from>[a-h][1-8])[-x]?(?<to>[a-h][1-8])(=?(?<promotion>[qrbnQRBN]))?[+#]?");
  private static final Pattern CASTLING = Pattern.compile("(?<side>O-O(-O)?|0-0(-0)?)[+#]?");

  private LongAlgebraic() {}

  public static Optional<WrittenMove> parse(String text) {
    Matcher castling = CASTLING.matcher(text);
    if (castling.matches()) {
      boolean kingside = castling.group("side").length() == 3;
      return Optional.of(position -> castling(position, kingside));
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String promotion = form.group("promotion") == null ? "" : form.group("promotion");
    String piece = form.group("piece");
    return Move.parse(form.group("from") + form.group("to") + promotion)
        .map(move -> position -> Optional.of(move).filter(it -> isPieceThere(position, it, piece)));
  }

  private static Optional<Move> castling(Position position, boolean kingside) {
    String rank = position.turn() == Side.WHITE ? "1" : "8";
    return Move.parse("e" + rank + (kingside ? "g" : "c") + rank)
        .filter(move -> isPieceThere(position, move, "K"));
  }

  private static boolean isPieceThere(Position position, Move move, String piece) {
    return piece.isEmpty()
        || position
            .at(move.from())
            .map(Piece::kind)
            .filter(kind -> piece.toLowerCase(Locale.ROOT).charAt(0) == kind.letter())
            .isPresent();
  }
}
