package gambit.chess.engine;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.rules.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvaluationTest {

  private static int value(String fen) {
    return Evaluation.of(Position.parseFen(fen).orElseThrow());
  }

  @Test
  void theFirstPositionIsEven() {
    assertThat(Evaluation.of(Position.initial())).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1,"
        + " rnb1k1nr/pppp1ppp/8/2b1p3/4P2q/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1",
    "8/P5k1/8/8/8/8/8/4K3 w - - 0 1, 4k3/8/8/8/8/8/p5K1/8 b - - 0 1"
  })
  void aPositionWithTheColoursExchangedHasTheSameValue(String fen, String mirrored) {
    assertThat(value(fen)).isEqualTo(value(mirrored)).isNotZero();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "a pawn more, 4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1, 4k3/p7/8/8/8/8/P7/4K3 w - - 0 1",
    "a passed pawn, 4k3/7p/8/P7/8/8/8/4K3 w - - 0 1, 4k3/p7/8/P7/8/8/8/4K3 w - - 0 1",
    "an advanced passed pawn, 4k3/8/P7/8/8/8/8/4K3 w - - 0 1, 4k3/8/8/8/P7/8/8/4K3 w - - 0 1",
    "pawns side by side, 4k3/8/8/8/8/8/PP6/4K3 w - - 0 1, 4k3/8/8/8/8/P7/P7/4K3 w - - 0 1",
    "a knight in the centre, 4k3/p7/8/8/4N3/8/8/4K3 w - - 0 1, 4k3/p7/8/8/8/8/8/N3K3 w - - 0 1",
    "a cornered bare king, k7/8/8/8/8/8/8/1R2K3 w - - 0 1, 8/8/8/4k3/8/8/8/1R2K3 w - - 0 1"
  })
  void itPrefersWhatIsBetter(String name, String better, String worse) {
    assertThat(value(better)).isGreaterThan(value(worse));
  }

  @Test
  void pawnsBeforeTheKingAreBetterThanPawnsElsewhereWhileThereAreQueens() {
    String sheltered = "q3k3/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1";
    String open = "q3k3/5ppp/8/8/8/8/PPP5/Q5K1 w - - 0 1";
    assertThat(value(sheltered)).isGreaterThan(value(open));
  }
}
