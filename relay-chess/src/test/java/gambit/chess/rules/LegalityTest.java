package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Legal and illegal moves at the edges of the rules. */
class LegalityTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "two squares from the first rank, 4k3/8/8/8/8/8/P7/4K3 w - - 0 1, a2a4, true",
    "two squares over a piece, 4k3/8/8/8/8/n7/P7/4K3 w - - 0 1, a2a4, false",
    "two squares onto a piece, 4k3/8/8/8/n7/8/P7/4K3 w - - 0 1, a2a4, false",
    "two squares later, 4k3/8/8/8/8/P7/8/4K3 w - - 0 1, a3a5, false",
    "a pawn captures straight ahead, 4k3/8/8/8/8/n7/P7/4K3 w - - 0 1, a2a3, false",
    "a pawn captures round the board's edge, 4k3/8/8/8/7n/P7/8/4K3 w - - 0 1, a3h4, false",
    "en passant at once, 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2, e5d6, true",
    "en passant too late, 4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2, e5d6, false",
    "en passant that opens a rank, 8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2, e5d6, false",
    "en passant that takes the checker, 8/8/8/2kpP3/4K3/8/8/8 w - d6 0 2, e5d6, true",
    "a promotion without its piece, 8/P5k1/8/8/8/8/8/4K3 w - - 0 1, a7a8, false",
    "a promotion that is none, 4k3/8/8/8/8/8/P7/4K3 w - - 0 1, a2a3q, false",
    "a knight that promotes, 8/1N4k1/8/8/8/8/8/4K3 w - - 0 1, b7d8q, false",
    "castling, 4k3/8/8/8/8/8/8/4K2R w K - 0 1, e1g1, true",
    "castling onto the rook, 4k3/8/8/8/8/8/8/4K2R w K - 0 1, e1h1, false",
    "castling without the right, 4k3/8/8/8/8/8/8/4K2R w - - 0 1, e1g1, false",
    "castling out of check, 4k3/8/8/8/8/8/4r3/4K2R w K - 0 1, e1g1, false",
    "castling through check, 4k3/8/8/8/8/8/5r2/4K2R w K - 0 1, e1g1, false",
    "castling into check, 4k3/8/8/8/8/8/6r1/4K2R w K - 0 1, e1g1, false",
    "castling past an attacked b1, 1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1, e1c1, true",
    "castling over a knight on b1, 4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1, e1c1, false",
    "castling with an attacked rook, r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1, e1c1, true",
    "black castles, r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1, e8c8, true",
    "a pinned piece leaves the line, 4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1, e2c3, false",
    "a pinned piece stays on it, 4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1, e2e8, true",
    "check is ignored, 4r1k1/8/8/8/8/8/8/R3K3 w - - 0 1, a1a2, false",
    "a double check is blocked, 4r1k1/8/8/8/1b6/8/2P5/4K3 w - - 0 1, c2c3, false",
    "the king takes a guarded piece, 4r1k1/8/8/8/8/8/4n3/4K3 w - - 0 1, e1e2, false",
    "the kings touch, 8/8/8/8/8/3k4/8/3K4 w - - 0 1, d1d2, false",
    "a move of nothing, 4k3/8/8/8/8/8/8/R3K3 w - - 0 1, c3c4, false",
    "a move of the other's piece, 4k3/p7/8/8/8/8/8/R3K3 w - - 0 1, a7a6, false",
    "a move to where one stands, 4k3/8/8/8/8/8/8/R3K3 w - - 0 1, a1a1, false",
    "the capture of an own piece, 4k3/8/8/8/8/8/P7/R3K3 w - - 0 1, a1a2, false"
  })
  void movesAreLegalOrIllegalAsListed(String name, String fen, String uci, boolean legal) {
    Position position = Position.parseFen(fen).orElseThrow();
    Move move = Move.parse(uci).orElseThrow();
    assertThat(position.play(move).isPresent()).isEqualTo(legal);
    assertThat(position.legalMoves().contains(move)).isEqualTo(legal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the king moves, r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1, e1e2, kq",
    "a rook moves, r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1, a1a2, Kkq",
    "a rook takes a rook, r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1, h1h8, Qq",
    "castling itself, r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1, e8g8, KQ"
  })
  void lostCastlingRightsDoNotReturn(String name, String fen, String uci, String rights) {
    Position after =
        Position.parseFen(fen).orElseThrow().play(Move.parse(uci).orElseThrow()).orElseThrow();
    assertThat(after.fen().split(" ")[2]).isEqualTo(rights);
  }
}
