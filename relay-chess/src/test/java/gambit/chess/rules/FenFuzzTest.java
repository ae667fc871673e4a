package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.MutatedInputs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reads any text as a position and compares with {@link FenRules} and {@link Oracle}. */
class FenFuzzTest {

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void validPositionsAreReadAndHaveTheMovesOfAnIndependentLibrary(byte[] input) {
    String fen = new String(input, StandardCharsets.UTF_8);
    Optional<Position> position = Position.parseFen(fen);
    assertThat(position.isPresent()).as("taken: %s", fen).isEqualTo(FenRules.allow(fen));
    position.ifPresent(own -> isAsWritten(own, fen));
  }

  private static void isAsWritten(Position own, String fen) {
    assertThat(own.fen()).isEqualTo(fen);
    Oracle other = new Oracle(fen);
    other.agreesOn(own);
    List<Move> legal = own.legalMoves();
    assertThat(own.outcome().filter(it -> it == Outcome.CHECKMATE).isPresent())
        .isEqualTo(legal.isEmpty() && own.inCheck());
    if (!legal.isEmpty()) {
      Move move = legal.get(Math.floorMod(fen.hashCode(), legal.size()));
      assertThat(own.san(move)).as("%s in %s", move.uci(), fen).isEqualTo(other.san(move));
      assertThat(other.play(move)).isTrue();
      other.agreesOn(own.play(move).orElseThrow());
    }
  }

  @Test
  void mutatedInputsAreReadAsTheOracleReadsThem() {
    MutatedInputs.feed(
        getClass(), 10_000, this::validPositionsAreReadAndHaveTheMovesOfAnIndependentLibrary);
  }
}
