package gambit.chess.engine;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.testkit.TestEffort;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Whole games between levels, in which a search may visit a fixed number of positions. */
class EngineMatchTest {
  private static final long NODES = 8_000;
  private static final int MAX_PLIES = 300;

  @Test
  void levelFiveMatesLevelOneWithEitherColour() {
    for (int game = 0; game < TestEffort.of(2, 20); game++) {
      Engine engine = new Engine(new Random(game));
      Side stronger = game % 2 == 0 ? Side.WHITE : Side.BLACK;
      Position end =
          play(
              position ->
                  engine
                      .think(
                          position,
                          position.turn() == stronger ? Level.FIVE : Level.ONE,
                          NODES,
                          () -> false)
                      .move());
      assertThat(end.outcome()).as(end.fen()).contains(Outcome.CHECKMATE);
      assertThat(end.turn()).isEqualTo(stronger.opponent());
    }
  }

  @Test
  void levelFourMatesAPlayerOfRandomMoves() {
    Random random = new Random(4);
    Engine engine = new Engine(random);
    for (int game = 0; game < TestEffort.of(1, 10); game++) {
      Position end =
          play(
              position -> {
                List<Move> legal = position.legalMoves();
                return position.turn() == Side.BLACK
                    ? legal.get(random.nextInt(legal.size()))
                    : engine.think(position, Level.FOUR, NODES, () -> false).move();
              });
      assertThat(end.outcome()).as(end.fen()).contains(Outcome.CHECKMATE);
      assertThat(end.turn()).isEqualTo(Side.BLACK);
    }
  }

  private static Position play(Function<Position, Move> players) {
    Position position = Position.initial();
    for (int ply = 0; ply < MAX_PLIES && position.outcome().isEmpty(); ply++) {
      position = position.play(players.apply(position)).orElseThrow();
    }
    return position;
  }
}
