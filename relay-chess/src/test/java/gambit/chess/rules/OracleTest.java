package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.wolfraam.chessgame.ChessGame;
import io.github.wolfraam.chessgame.notation.NotationType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Random games, position by position, beside a chess library by other people. */
class OracleTest {

  private static final int POSITIONS = Boolean.getBoolean("gambit.long") ? 2_000_000 : 40_000;

  @Test
  void everyPositionOfRandomGamesIsWhatAnIndependentLibrarySays() throws Exception {
    Random random = new Random(20260301);
    int positions = 0;
    int mates = 0;
    int castlings = 0;
    while (positions < POSITIONS) {
      Position own = Rules.initial();
      ChessGame other = new ChessGame();
      while (own.outcome().isEmpty()) {
        List<Move> legal = sorted(own.legalMoves());
        assertThat(uci(legal)).as(own.fen()).isEqualTo(legalMovesOf(other));
        Move move = legal.get(random.nextInt(legal.size()));
        String san = own.san(move);
        assertThat(san)
            .as("%s in %s", move.uci(), own.fen())
            .isEqualTo(
                other.getNotation(NotationType.SAN, other.getMove(NotationType.UCI, move.uci())));
        castlings += san.startsWith("O") ? 1 : 0;
        own = own.play(move).orElseThrow();
        other.playMove(NotationType.UCI, move.uci());
        assertThat(withoutEnPassant(own.fen())).isEqualTo(withoutEnPassant(other.getFen()));
        assertThat(own.inCheck()).isEqualTo(other.isKingAttacked());
        positions++;
      }
      assertThat(own.legalMoves().isEmpty()).isEqualTo(other.getLegalMoves().isEmpty());
      mates += own.outcome().equals(java.util.Optional.of(Outcome.CHECKMATE)) ? 1 : 0;
    }
    assertThat(mates).as("games that ended in mate").isPositive();
    assertThat(castlings).as("castlings seen").isPositive();
  }

  /** The two write the en passant square under different conditions; the moves compare it. */
  private static String withoutEnPassant(String fen) {
    String[] fields = fen.split(" ");
    fields[3] = "-";
    return String.join(" ", fields);
  }

  private static List<Move> sorted(List<Move> moves) {
    List<Move> sorted = new ArrayList<>(moves);
    sorted.sort(Comparator.comparing(Move::uci));
    return sorted;
  }

  private static Set<String> uci(List<Move> moves) {
    return moves.stream().map(Move::uci).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> legalMovesOf(ChessGame game) {
    return game.getLegalMoves().stream()
        .map(move -> game.getNotation(NotationType.UCI, move))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
