package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SanTest {

  @ParameterizedTest(name = "{2}")
  @CsvSource({
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, e2e4, e4",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, g1f3, Nf3",
    "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1, e4d5, exd5",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2, e5d6, exd6",
    "8/P5k1/8/8/8/8/8/4K3 w - - 0 1, a7a8n, a8=N",
    "1r6/P5k1/8/8/8/8/8/4K3 w - - 0 1, a7b8q, axb8=Q",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1, e1g1, O-O",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1, e8c8, O-O-O",
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1, e1g1, O-O+",
    "4k3/8/8/8/8/8/4K3/R6R w - - 0 1, a1d1, Rad1",
    "R7/4k3/8/8/8/8/4K3/R7 w - - 0 1, a1a4, R1a4",
    "1k6/8/8/8/4Q2Q/8/K7/7Q w - - 0 1, h4e1, Qh4e1",
    "4k3/8/8/8/4r3/8/3N4/3BK1N1 w - - 0 1, g1e2, Ne2",
    "7k/8/8/8/8/8/6q1/K6R b - - 0 1, g2h1, Qxh1+",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1, a1a8, Ra8#"
  })
  void moveIsWrittenInTheShortestFormOfThePgnStandard(String fen, String uci, String san) {
    Position position = Position.parseFen(fen).orElseThrow();
    assertThat(position.san(Move.parse(uci).orElseThrow())).isEqualTo(san);
  }

  @Test
  void illegalMoveHasNoSan() {
    Move move = Move.parse("e2e5").orElseThrow();
    assertThatThrownBy(() -> Position.initial().san(move))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
