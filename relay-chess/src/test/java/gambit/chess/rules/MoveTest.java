package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MoveTest {

  @ParameterizedTest
  @CsvSource({"e2e4,e2e4", "a7a8q,a7a8q", "a7a8Q,a7a8q", "h2h1N,h2h1n", "e1e1,e1e1", "e2e4q,e2e4q"})
  void textInTheFormOfUciIsAMove(String text, String uci) {
    assertThat(Move.parse(text).map(Move::uci)).contains(uci);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "0000", "e2", "e2e", "e2e9", "i2e4", "e0e4", "E2E4", "e2-e4", "e7e8k", "e7e8p",
        "e7e8=Q", "e7e8qq", " e2e4", "e2e4 ", "e2e4\n", "O-O", "ｅ2e4", "e２e4"
      })
  void otherTextIsRefused(String text) {
    assertThat(Move.parse(text)).isEmpty();
  }

  @Test
  void everyMoveIsReadBackUnchanged() {
    for (int from = 0; from < 64; from++) {
      for (int to = 0; to < 64; to++) {
        Move move = new Move(from, to, to % 3 == 0 ? PieceKind.ROOK : null);
        assertThat(Move.parse(move.uci())).contains(move);
      }
    }
  }

  @Property(tries = 500)
  void formIsThatOfTheProtocol(
      @ForAll @StringLength(max = 6) @CharRange(from = '0', to = 'z') String text) {
    assertThat(Move.parse(text).isPresent())
        .isEqualTo(text.matches("[a-h][1-8][a-h][1-8][qrbnQRBN]?"));
  }
}
