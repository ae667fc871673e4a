package gambit.app.verify;

import gambit.chess.rules.Move;
import gambit.chess.rules.Piece;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Moves as players of the ephemeral dialect write them: {@code e2e4}, {@code e7e8q}, {@code
 * e7-e8=Q}, {@code Ng1-f3}, {@code O-O}.
 */
final class LongAlgebraic {
  private static final Pattern FORM =
      Pattern.compile("([KQRBNP]?)([a-h][1-8])[-x]?([a-h][1-8])(?:=?([QRBNqrbn]))?[+#]?");
  private static final Pattern CASTLING = Pattern.compile("[O0]-[O0](-[O0])?[+#]?");

  private LongAlgebraic() {}

  /** The move that the text means in a position, legal or not. */
  static Optional<Move> parse(String text, Position position) {
    Matcher castling = CASTLING.matcher(text);
    if (castling.matches()) {
      String rank = position.turn() == Side.WHITE ? "1" : "8";
      return Move.parse("e" + rank + (castling.group(1) == null ? "g" : "c") + rank);
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String promotion = form.group(4) == null ? "" : form.group(4);
    return Move.parse(form.group(2) + form.group(3) + promotion)
        .filter(move -> isMovedBy(form.group(1), position.at(move.from())));
  }

  private static boolean isMovedBy(String letter, Optional<Piece> piece) {
    return letter.isEmpty()
        || piece
            .map(it -> String.valueOf(it.kind().letter()).toUpperCase(Locale.ROOT))
            .filter(letter::equals)
            .isPresent();
  }
}
