package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The outcome of a position, alone and with the positions before it. */
class OutcomeTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "mate, R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1, CHECKMATE",
    "mate on the 75th move, R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 100, CHECKMATE",
    "mate by a lone knight, 8/8/8/8/8/8/p1N5/k1K5 b - - 0 1, CHECKMATE",
    "stalemate, 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1, STALEMATE",
    "bare kings, 4k3/8/8/8/8/8/8/4K3 w - - 0 1, DEAD_POSITION",
    "75 moves, 4k3/8/8/8/8/8/8/R3K3 b - - 150 100, SEVENTY_FIVE_MOVES",
    "not yet 75 moves, 4k3/8/8/8/8/8/8/R3K3 b - - 149 100, ",
    "nothing, rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, "
  })
  void positionsEndTheGameAsListed(String name, String fen, Outcome outcome) {
    assertThat(from(fen).outcome()).isEqualTo(Optional.ofNullable(outcome));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "bare kings, 4k3/8/8/8/8/8/8/4K3, false, false",
    "a knight against nothing, 4k3/8/8/8/8/8/8/1N2K3, false, false",
    "a knight against a queen, 3qk3/8/8/8/8/8/8/1N2K3, false, true",
    "a knight against two queens, 2qqk3/8/8/8/8/8/8/1N2K3, false, true",
    "a knight against a pawn, 4k3/p7/8/8/8/8/8/1N2K3, true, true",
    "a knight against a rook, 3rk3/8/8/8/8/8/8/1N2K3, true, true",
    "a knight against a knight, 1n2k3/8/8/8/8/8/8/1N2K3, true, true",
    "a knight against a bishop, 2b1k3/8/8/8/8/8/8/1N2K3, true, true",
    "a knight against a queen and a rook, 2rqk3/8/8/8/8/8/8/1N2K3, true, true",
    "two knights, 4k3/8/8/8/8/8/8/1NN1K3, true, false",
    "a bishop against nothing, 4k3/8/8/8/8/8/8/2B1K3, false, false",
    "a bishop against a queen, 3qk3/8/8/8/8/8/8/2B1K3, false, true",
    "a bishop against a knight, 1n2k3/8/8/8/8/8/8/2B1K3, true, true",
    "a bishop against a pawn, 4k3/p7/8/8/8/8/8/2B1K3, true, true",
    "bishops of one colour, 5bk1/8/8/8/8/8/8/2B1K3, false, false",
    "bishops of both colours, 2b1k3/8/8/8/8/8/8/2B1K3, true, true",
    "seven bishops of one colour, 4k3/8/8/8/8/B1B1B3/1B1B1B2/2B1K3, false, false",
    "two bishops, 4k3/8/8/8/8/8/8/2BBK3, true, false",
    "a pawn, 4k3/8/8/8/8/8/P7/4K3, true, false",
    "a rook, 4k3/8/8/8/8/8/8/R3K3, true, false",
    "a bishop against a rook, r3k3/8/8/8/8/8/8/2B1K3, false, true",
    "a bishop and a knight, 4k3/8/8/8/8/8/8/1NB1K3, true, false"
  })
  void matingMaterialDependsOnThePiecesOnTheBoard(
      String name, String board, boolean white, boolean black) {
    Position position = Position.parseFen(board + " w - - 0 1").orElseThrow();
    assertThat(position.canMate(Side.WHITE)).isEqualTo(white);
    assertThat(position.canMate(Side.BLACK)).isEqualTo(black);
    assertThat(position.outcome().equals(Optional.of(Outcome.DEAD_POSITION)))
        .isEqualTo(!white && !black);
  }

  @Test
  void repetitionsAreCountedFromTheFirstTime() {
    Position position = Position.initial();
    for (int times = 1; times <= 5; times++) {
      assertThat(position.occurrences()).isEqualTo(times);
      assertThat(position.threefold()).isEqualTo(times >= 3);
      assertThat(position.outcome().equals(Optional.of(Outcome.FIVEFOLD))).isEqualTo(times == 5);
      position = play(position, "b1c3 b8c6 c3b1 c6b8");
    }
  }

  @Test
  void positionWithAPossibleEnPassantCaptureIsDifferent() {
    Position open = play(from("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), "d7d5");
    assertThat(play(open, "e1d1 e8d8 d1e1 d8e8").occurrences()).isEqualTo(1);
  }

  @Test
  void enPassantSquareWithoutACaptureMakesNoDifference() {
    Position none = play(from("4k3/3p4/8/P7/8/8/8/4K3 b - - 0 1"), "d7d5");
    assertThat(play(none, "e1d1 e8d8 d1e1 d8e8").occurrences()).isEqualTo(2);
    Position pinned = play(from("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1"), "d7d5");
    assertThat(pinned.legalMoves()).extracting(Move::uci).doesNotContain("e5d6");
    assertThat(play(pinned, "a5a4 e8d8 a4a5 d8e8").occurrences()).isEqualTo(2);
  }

  @Test
  void positionWithOtherCastlingRightsIsDifferent() {
    Position start = from("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    Position after = play(start, "a1a2 e8e7 a2a1 e7e8");
    assertThat(after.occurrences()).isEqualTo(1);
    assertThat(play(after, "a1a2 e8e7 a2a1 e7e8").occurrences()).isEqualTo(2);
  }

  @Test
  void captureOrPawnMoveRestartsTheFiftyMoves() {
    assertThat(from("4k3/8/8/8/8/8/8/R3K3 w - - 100 80").fiftyMoves()).isTrue();
    assertThat(from("4k3/8/8/8/8/8/8/R3K3 w - - 99 80").fiftyMoves()).isFalse();
    Position position = from("4k3/p7/8/8/8/8/P7/R3K3 w - - 99 80");
    assertThat(play(position, "a2a3").halfmoveClock()).isZero();
    assertThat(play(position, "e1e2").halfmoveClock()).isEqualTo(100);
    assertThat(play(from("4k3/8/8/8/8/8/p7/R3K3 w - - 99 80"), "a1a2").halfmoveClock()).isZero();
  }

  private static Position from(String fen) {
    return Position.parseFen(fen).orElseThrow();
  }

  private static Position play(Position from, String moves) {
    Position position = from;
    for (String uci : moves.split(" ")) {
      position = position.play(Move.parse(uci).orElseThrow()).orElseThrow();
    }
    return position;
  }
}
