package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.MutatedInputs;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plays games from any bytes, read by {@link MoveText}, and compares them with {@link Oracle}. */
class MovesFuzzTest {
  private static final int PLIES = 16;

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void legalMovesAndPositionsEqualThoseOfAnIndependentLibrary(byte[] input) {
    String text = new String(input, StandardCharsets.ISO_8859_1);
    assertThat(Move.parse(text).isPresent())
        .isEqualTo(text.matches("[a-h][1-8][a-h][1-8][qrbnQRBN]?"));
    MoveText moves = new MoveText(text);
    Position own = Position.initial();
    Oracle other = new Oracle();
    for (int ply = 0; ply < PLIES && own.outcome().isEmpty(); ply++) {
      Optional<Move> move = moves.next(own);
      if (move.isEmpty()) {
        break;
      }
      Position here = own;
      Optional<Position> next = here.play(move.get());
      assertThat(next.isPresent())
          .as(() -> move.get().uci() + " in " + here.fen())
          .isEqualTo(other.play(move.get()));
      own = next.orElse(here);
    }
    other.agreesOn(own);
    assertThat(Position.parseFen(own.fen()).map(Position::legalMoves)).contains(own.legalMoves());
    List<Move> legal = own.legalMoves();
    if (!legal.isEmpty()) {
      Move move = legal.get(Math.floorMod(text.hashCode(), legal.size()));
      assertThat(own.san(move)).as("%s in %s", move.uci(), own.fen()).isEqualTo(other.san(move));
    }
  }

  @Test
  void mutatedGamesEqualThoseOfAnIndependentLibrary() {
    MutatedInputs.feed(
        getClass(), 500, this::legalMovesAndPositionsEqualThoseOfAnIndependentLibrary);
  }
}
