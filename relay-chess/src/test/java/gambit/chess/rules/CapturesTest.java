package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestEffort;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a search of captures uses, against the list of all legal moves. */
class CapturesTest {

  @Test
  void capturesAndPromotionsAreTheLegalMovesThatRemoveAPieceOrPromote() {
    Random random = new Random(64);
    for (int game = 0; game < TestEffort.of(15, 1_000); game++) {
      Position position = Position.initial();
      for (int ply = 0; ply < 200 && position.outcome().isEmpty(); ply++) {
        List<Move> legal = position.legalMoves();
        Position here = position;
        assertThat(position.legalCapturesAndPromotions())
            .as(position.fen())
            .containsExactlyInAnyOrderElementsOf(
                legal.stream()
                    .filter(move -> move.promotion() != null || captures(here, move))
                    .toList());
        position = position.play(legal.get(random.nextInt(legal.size()))).orElseThrow();
      }
    }
  }

  private static boolean captures(Position position, Move move) {
    return pieces(position.play(move).orElseThrow()) < pieces(position);
  }

  private static int pieces(Position position) {
    int count = 0;
    for (Side side : Side.values()) {
      for (PieceKind kind : PieceKind.values()) {
        count += Long.bitCount(position.squares(side, kind));
      }
    }
    return count;
  }

  @Test
  void theSquaresOfPiecesAreThoseOnTheBoard() {
    Position position = Position.initial();
    for (int square = 0; square < 64; square++) {
      for (Side side : Side.values()) {
        for (PieceKind kind : PieceKind.values()) {
          boolean isThere = (position.squares(side, kind) >>> square & 1) != 0;
          assertThat(position.at(square).filter(new Piece(side, kind)::equals).isPresent())
              .isEqualTo(isThere);
        }
      }
    }
  }

  @Test
  void thePositionsOfTransposedMovesHaveOneKey() {
    Position one = play("g1f3", "g8f6", "b1c3", "b8c6");
    Position other = play("b1c3", "b8c6", "g1f3", "g8f6");
    assertThat(one.key()).isEqualTo(other.key()).isNotEqualTo(Position.initial().key());
    assertThat(play("g1f3", "g8f6", "f3g1", "f6g8").key()).isEqualTo(Position.initial().key());
  }

  private static Position play(String... moves) {
    Position position = Position.initial();
    for (String uci : moves) {
      position = position.play(Move.parse(uci).orElseThrow()).orElseThrow();
    }
    return position;
  }
}
