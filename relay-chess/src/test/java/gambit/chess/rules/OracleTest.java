package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestEffort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares random games, position by position, with an independent chess library. */
class OracleTest {

  private static final int POSITIONS = TestEffort.of(2_000, 2_000_000);

  @Test
  void everyPositionOfRandomGamesEqualsThatOfAnIndependentLibrary() {
    Random random = new Random(20260301);
    int positions = 0;
    int mates = 0;
    int castlings = 0;
    while (positions < POSITIONS) {
      Position own = Position.initial();
      Oracle other = new Oracle();
      while (own.outcome().isEmpty()) {
        other.agreesOn(own);
        List<Move> legal = sorted(own.legalMoves());
        Move move = legal.get(random.nextInt(legal.size()));
        String san = own.san(move);
        assertThat(san).as("%s in %s", move.uci(), own.fen()).isEqualTo(other.san(move));
        castlings += san.startsWith("O") ? 1 : 0;
        own = own.play(move).orElseThrow();
        assertThat(other.play(move)).isTrue();
        positions++;
      }
      other.agreesOn(own);
      mates += own.outcome().equals(Optional.of(Outcome.CHECKMATE)) ? 1 : 0;
    }
    assertThat(mates).as("games that ended in mate").isPositive();
    assertThat(castlings).as("castlings seen").isPositive();
  }

  private static List<Move> sorted(List<Move> moves) {
    List<Move> sorted = new ArrayList<>(moves);
    sorted.sort(Comparator.comparing(Move::uci));
    return sorted;
  }
}
