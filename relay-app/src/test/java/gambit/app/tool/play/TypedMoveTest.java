package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.play.PlayerInput.TypedMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypedMoveTest {
  /** Castling, a promotion, captures by a pawn and a bishop on the same square, and two knights. */
  private static final String RICH = "r3k2r/1P6/8/8/2p1N3/1B1P1N2/8/R3K2R w KQkq - 0 1";

  @ParameterizedTest
  @CsvSource({
    "e1g1, e1g1",
    "O-O, e1g1",
    "0-0, e1g1",
    "O-O-O, e1c1",
    "E1G1, e1g1",
    "b8=Q+, b7b8q",
    "b8Q, b7b8q",
    "bxa8=N, b7a8n",
    "ba8N, b7a8n",
    "b7a8n, b7a8n",
    "b7xa8=N, b7a8n",
    "dxc4, d3c4",
    "dc4, d3c4",
    "Bxc4, b3c4",
    "Bc4, b3c4",
    "Nf3-d4, f3d4",
    "Nfd2, f3d2",
    "Ned2, e4d2",
    "Kd1, e1d1",
    "d4!?, d3d4",
  })
  void aMoveIsReadInSanAndInUci(String text, String uci) {
    assertThat(TypedMove.in(position(RICH), text)).contains(Move.parse(uci).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({"Nd2", "e4", "b8", "b7b8", "a1a8x", "Qd4", "O-O-O-O", "''", "draw", "e1e2e3"})
  void anIllegalOrAmbiguousMoveIsNotRead(String text) {
    assertThat(TypedMove.in(position(RICH), text)).isEmpty();
  }

  @Test
  void allMovesAreListedInBothNotations() {
    List<String> all = TypedMove.all(Position.initial());
    assertThat(all).hasSize(40).contains("Nf3", "g1f3", "e4", "e2e4");
    assertThat(all).allMatch(text -> TypedMove.in(Position.initial(), text).isPresent());
  }

  private static Position position(String fen) {
    return Position.parseFen(fen).orElseThrow();
  }
}
