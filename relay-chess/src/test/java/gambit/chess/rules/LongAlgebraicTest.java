package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LongAlgebraicTest {
  private static final String PROMOTION = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1";
  private static final String WHITE_CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  private static final String BLACK_CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";

  @ParameterizedTest
  @CsvSource({
    "e2e4, e2e4",
    "e2-e4, e2e4",
    "g1f3, g1f3",
    "Ng1f3, g1f3",
    "Ng1-f3, g1f3",
    "Ng1-f3+, g1f3",
    "Ng1xf3#, g1f3",
  })
  void moveIsReadInEveryFormThatClientsWrite(String text, String uci) {
    assertThat(read(text, Position.initial())).isEqualTo(Move.parse(uci));
  }

  @ParameterizedTest
  @CsvSource({
    "e7e8q, e7e8q",
    "e7e8Q, e7e8q",
    "e7-e8Q, e7e8q",
    "e7-e8=Q, e7e8q",
    "e7e8=n+, e7e8n",
    "e7-e8=R#, e7e8r",
    "e7e8b, e7e8b",
  })
  void promotionNamesItsPieceInEitherCase(String text, String uci) {
    assertThat(read(text, position(PROMOTION))).isEqualTo(Move.parse(uci));
  }

  @ParameterizedTest
  @CsvSource({
    "O-O, g",
    "0-0, g",
    "O-O+, g",
    "O-O-O, c",
    "0-0-0, c",
    "O-O-O#, c",
  })
  void castlingIsReadAsAKingMoveOfTheSideToMove(String text, String file) {
    assertThat(read(text, position(WHITE_CASTLES))).isEqualTo(Move.parse("e1" + file + "1"));
    assertThat(read(text, position(BLACK_CASTLES))).isEqualTo(Move.parse("e8" + file + "8"));
  }

  @Test
  void castlingIsNotReadForAnotherPieceOnTheKingsSquare() {
    assertThat(read("O-O", position("7k/8/8/8/8/8/8/K3R3 w - - 0 1"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bg1-f3", "Ke2-e4", "Ng3-f5"})
  void moveOfAPieceThatIsNotThereIsRefused(String text) {
    assertThat(read(text, Position.initial())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "e4", "Nf3", "e2", "e2e9", "i2e4", "E2E4", "e2 e4", " e2e4", "e2e4 ", "e2--e4",
        "ng1f3", "Pe2e4", "e7e8k", "e7e8=", "e7e8==Q", "O-0", "o-o", "O-O-O-O", "OO", "e2e4!",
        "e2e4\n", "e2e4+#", "0000", "--", "quit"
      })
  void otherTextIsRefused(String text) {
    assertThat(LongAlgebraic.parse(text)).isEmpty();
  }

  private static Optional<Move> read(String text, Position position) {
    return LongAlgebraic.parse(text).orElseThrow().in(position);
  }

  private static Position position(String fen) {
    return Position.parseFen(fen).orElseThrow();
  }
}
