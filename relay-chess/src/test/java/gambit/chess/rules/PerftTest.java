package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Counts the sequences of moves to a depth and compares with the counts of the chess programming
 * community. {@code -Dgambit.long} searches one ply deeper.
 */
class PerftTest {

  @ParameterizedTest(name = "{0}, {2} plies")
  @CsvSource({
    "initial, rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, 4, 197281, 4865609",
    "castling and pins,"
        + " r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1,"
        + " 3, 97862, 4085603",
    "en passant pins, 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1, 5, 674624, 11030083",
    "promotions in check,"
        + " r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1,"
        + " 4, 422333, 15833292",
    "a promotion that takes a rook,"
        + " rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8, 3, 62379, 2103487",
    "a quiet middle game,"
        + " r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10,"
        + " 3, 89890, 3894594"
  })
  void numbersOfMoveSequencesEqualTheKnownCounts(
      String name, String fen, int plies, long count, long deeper) {
    Position position = Position.parseFen(fen).orElseThrow();
    assertThat(count(position, plies)).isEqualTo(count);
    if (Boolean.getBoolean("gambit.long")) {
      assertThat(count(position, plies + 1)).isEqualTo(deeper);
    }
  }

  private static long count(Position position, int plies) {
    var moves = position.legalMoves();
    if (plies == 1) {
      return moves.size();
    }
    long count = 0;
    for (Move move : moves) {
      count += count(position.play(move).orElseThrow(), plies - 1);
    }
    return count;
  }
}
