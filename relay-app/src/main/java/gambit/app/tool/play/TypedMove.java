package gambit.app.tool.play;

import gambit.chess.rules.LongAlgebraic;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads moves as people type them, in SAN or in UCI. Pure. */
final class TypedMove {
  private TypedMove() {}

  /**
   * The legal move that a text means: SAN, with or without {@code x}, {@code =}, {@code +} and
   * {@code #}; UCI; or long algebraic notation. Empty if there is none or more than one.
   */
  static Optional<Move> in(Position position, String text) {
    String plain = plain(text);
    List<Move> fitting =
        position.legalMoves().stream()
            .filter(move -> plain(position.san(move)).equals(plain))
            .toList();
    if (fitting.size() == 1) {
      return Optional.of(fitting.get(0));
    }
    return Move.parse(text.toLowerCase(Locale.ROOT))
        .or(() -> LongAlgebraic.parse(text).flatMap(written -> written.in(position)))
        .filter(move -> position.play(move).isPresent());
  }

  private static String plain(String san) {
    return san.replaceAll("[x=+#!?]", "").replace('0', 'O');
  }

  static List<String> all(Position position) {
    List<String> all = new ArrayList<>();
    for (Move move : position.legalMoves()) {
      all.add(position.san(move));
      all.add(move.uci());
    }
    return all;
  }
}
