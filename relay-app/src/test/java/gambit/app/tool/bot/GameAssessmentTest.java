package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.engine.Engine;
import gambit.chess.engine.Level;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GameAssessmentTest {
  private static final Position QUEEN_DOWN =
      position("rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 20");
  private static final Position ROOK_ENDING = position("8/5pk1/6p1/8/8/6P1/3r1PK1/4R3 w - - 10 50");
  private static final Position MIDDLEGAME =
      position("r1bq1rk1/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQ1RK1 w - - 0 12");

  private final BotGame.GameAssessment assessment = new BotGame.GameAssessment();

  private static Position position(String fen) {
    return Position.parseFen(fen).orElseThrow();
  }

  private void add(Position position, int... scores) {
    for (int score : scores) {
      assessment.add(position, score);
    }
  }

  @Test
  void aLevelFromThreeResignsAfterFourLostMovesInARow() {
    add(QUEEN_DOWN, -950, -950, -950);
    assertThat(assessment.resigns(Level.FIVE, QUEEN_DOWN)).isFalse();
    add(QUEEN_DOWN, -200, -950, -950, -950);
    assertThat(assessment.resigns(Level.FIVE, QUEEN_DOWN)).isFalse();
    add(QUEEN_DOWN, -950);
    for (Level level : List.of(Level.THREE, Level.FOUR, Level.FIVE)) {
      assertThat(assessment.resigns(level, QUEEN_DOWN)).isTrue();
    }
    assertThat(assessment.resigns(Level.ONE, QUEEN_DOWN)).isFalse();
    assertThat(assessment.resigns(Level.TWO, QUEEN_DOWN)).isFalse();
    assessment.reset(); // a takeback
    add(QUEEN_DOWN, -950);
    assertThat(assessment.resigns(Level.FIVE, QUEEN_DOWN)).isFalse();
  }

  @Test
  void withEqualMaterialOnlyAMateIsALoss() {
    add(MIDDLEGAME, -950, -950, -950, -950, -950);
    assertThat(assessment.resigns(Level.FIVE, MIDDLEGAME)).isFalse();
    add(MIDDLEGAME, -29_990);
    assertThat(assessment.resigns(Level.FIVE, MIDDLEGAME)).isTrue();
  }

  @Test
  void aDrawIsAgreedInALateGameThatHasBeenEvenForEightMovesAndWhenItIsAGain() {
    add(ROOK_ENDING, 10, 0, -20, 5, 0, 0, 30);
    assertThat(assessment.agreesToDraw(ROOK_ENDING)).isFalse();
    add(ROOK_ENDING, 0);
    assertThat(assessment.agreesToDraw(ROOK_ENDING)).isTrue();
    add(ROOK_ENDING, 60);
    assertThat(assessment.agreesToDraw(ROOK_ENDING)).isFalse();
    add(ROOK_ENDING, -300);
    assertThat(assessment.agreesToDraw(ROOK_ENDING)).isTrue();
    add(MIDDLEGAME, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    assertThat(assessment.agreesToDraw(MIDDLEGAME)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "8/8/3k4/3r4/8/4K3/4R3/8 w - - 0 70, true",
    "8/8/3k4/3b4/8/4K3/4R3/8 w - - 0 70, true",
    "8/8/3k4/3r4/8/4K3/4Q3/8 w - - 0 70, false",
    "8/8/3k4/8/8/4K3/4R3/8 w - - 0 70, false",
    "8/8/3k4/3r4/8/4K3/4RP2/8 w - - 0 70, false"
  })
  void anEndingWithoutPawnsAndWithNearlyEqualPiecesIsADraw(String fen, boolean isDraw) {
    add(position(fen), 250);
    assertThat(assessment.agreesToDraw(position(fen))).isEqualTo(isDraw);
  }

  @Test
  void aRepeatedPositionIsADrawAndIsOfferedOnceInTwentyMoves() {
    Position position = MIDDLEGAME;
    for (String uci : List.of("g1h1", "g8h8", "h1g1", "h8g8")) {
      position = position.play(Move.parse(uci).orElseThrow()).orElseThrow();
    }
    assertThat(assessment.offersDraw(MIDDLEGAME)).isFalse();
    add(position, 10);
    assertThat(assessment.offersDraw(position)).isTrue();
    assertThat(assessment.offersDraw(position)).isFalse();
  }

  @Test
  void theScoresOfTheEngineLeadToAResignation() {
    Engine engine = new Engine(new Random(4));
    Position lost = position("4k3/8/8/8/8/2q5/1r6/4K3 w - - 0 60");
    for (int i = 0; i < 4; i++) {
      add(lost, engine.think(lost, Level.THREE, 5_000, () -> false).score());
    }
    assertThat(assessment.resigns(Level.THREE, lost)).isTrue();
  }
}
