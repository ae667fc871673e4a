package gambit.chess.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.engine.Engine.Thought;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.core.testkit.TestEffort;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EngineTest {
  private static final BooleanSupplier NEVER = () -> false;
  private static final long NODES = 100_000;

  private final Engine engine = new Engine(new Random(16));

  private static Position position(String fen) {
    return Position.parseFen(fen).orElseThrow();
  }

  @ParameterizedTest(name = "{0}, mate in {1}")
  @CsvSource({
    "back rank, 1, 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "fool's mate, 1, rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2",
    "smothered, 1, 6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1",
    "promotion, 1, 6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1",
    "two rooks, 2, 7k/8/8/8/8/R7/1R6/K7 w - - 0 1",
    "queen sacrifice, 2, 2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1",
    "rook and bishop, 3, r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"
  })
  void levelsFourAndFiveFindAndPlayForcedMates(String name, int moves, String fen) {
    for (Level level : List.of(Level.FOUR, Level.FIVE)) {
      Position position = position(fen);
      Thought first = engine.think(position, level, NODES, NEVER);
      assertThat(first.score()).as("%s", first).isGreaterThan(Search.MATE - Search.MAX_PLY);
      assertThat(first.score()).isEqualTo(Search.MATE - (2 * moves - 1));
      for (int ply = 1; ply < 2 * moves; ply++) {
        Thought thought = engine.think(position, level, NODES, NEVER);
        position = position.play(thought.move()).orElseThrow();
      }
      assertThat(position.outcome()).contains(Outcome.CHECKMATE);
    }
  }

  @Test
  void aPlayerWhoIsMatedByForceIsToldSo() {
    Thought thought =
        engine.think(position("6k1/R7/1R6/8/8/8/8/K7 b - - 0 1"), Level.FIVE, NODES, NEVER);
    assertThat(thought.score()).isLessThan(Search.MAX_PLY - Search.MATE);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "queen takes a protected pawn, 4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1, d2d6",
    "rook takes a protected knight, 3rk3/8/8/3n4/8/8/8/3RK3 w - - 0 1, d1d5",
    "queen takes a protected bishop, 4k3/8/8/2n5/4b3/8/8/4QK2 w - - 0 1, e1e4"
  })
  void highLevelsLeaveProtectedPiecesAlone(String name, String fen, String capture) {
    Move losing = Move.parse(capture).orElseThrow();
    for (Level level : List.of(Level.TWO, Level.THREE, Level.FOUR, Level.FIVE)) {
      assertThat(engine.think(position(fen), level, 20_000, NEVER).move())
          .as("%s", level)
          .isNotEqualTo(losing);
    }
  }

  @Test
  void levelOneTakesAProtectedKnightWithAQueen() {
    Thought thought =
        engine.think(position("4k3/8/5n2/3n4/8/8/8/3QK3 w - - 0 1"), Level.ONE, NODES, NEVER);
    assertThat(thought.move().uci()).isEqualTo("d1d5");
  }

  @ParameterizedTest
  @CsvSource({
    "4k3/8/8/8/3q4/8/8/R3K2n b - - 0 1, h1",
    "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3, f7"
  })
  void highLevelsDefendWhatIsAttacked(String fen, String square) {
    int attacked = square.charAt(0) - 'a' + 8 * (square.charAt(1) - '1');
    for (Level level : List.of(Level.FOUR, Level.FIVE)) {
      Position after =
          position(fen).play(engine.think(position(fen), level, NODES, NEVER).move()).orElseThrow();
      Position reply = after.play(engine.think(after, level, NODES, NEVER).move()).orElseThrow();
      assertThat(reply.outcome()).isEmpty();
      assertThat(reply.at(attacked)).as("%s %s", level, reply.fen()).isEqualTo(after.at(attacked));
    }
  }

  @Test
  void aLosingPlayerTakesADrawByRepetition() {
    Position position = position("6k1/5ppp/8/8/8/q6P/r5PQ/7K w - - 0 1");
    for (String uci : List.of("h2b8", "a3f8", "b8e5", "f8a3", "e5b8", "a3f8", "b8e5", "f8a3")) {
      position = position.play(Move.parse(uci).orElseThrow()).orElseThrow();
    }
    Thought thought = engine.think(position, Level.FIVE, NODES, NEVER);
    assertThat(thought.score()).isGreaterThanOrEqualTo(0);
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void theMoveIsLegalInAnyPositionOfRandomGamesWithAnyBound(Level level) {
    Random random = new Random(level.number());
    for (int game = 0; game < TestEffort.of(3, 60); game++) {
      Position position = Position.initial();
      for (int ply = 0; ply < 120 && position.outcome().isEmpty(); ply++) {
        List<Move> legal = position.legalMoves();
        if (ply % 5 == 0) {
          Thought thought = engine.think(position, level, random.nextInt(800), NEVER);
          assertThat(legal).as(position.fen()).contains(thought.move());
        }
        position = position.play(legal.get(random.nextInt(legal.size()))).orElseThrow();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void theSearchEndsAtItsBoundOfPositions(Level level) {
    for (long bound : new long[] {0, 1, 10, 1000, 10_000}) {
      Thought thought = engine.think(Position.initial(), level, bound, NEVER);
      assertThat(thought.nodes()).isLessThanOrEqualTo(bound + 1);
    }
  }

  @Test
  void theSearchEndsWhenItsConditionHolds() {
    AtomicInteger tests = new AtomicInteger();
    Thought thought =
        engine.think(
            Position.initial(), Level.FIVE, Long.MAX_VALUE, () -> tests.incrementAndGet() == 5);
    assertThat(tests).hasValue(5);
    assertThat(thought.nodes()).isLessThan(10_000);
    assertThat(thought.depth()).isPositive();
  }

  @Test
  void theSearchEndsWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    Thought thought = engine.think(Position.initial(), Level.FIVE, Long.MAX_VALUE, NEVER);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(Position.initial().legalMoves()).contains(thought.move());
    assertThat(thought.nodes()).isLessThan(10_000);
  }

  @Test
  void theOnlyLegalMoveIsPlayedAtOnce() {
    Thought thought =
        engine.think(position("7k/8/8/8/8/8/r7/7K w - - 0 1"), Level.FIVE, Long.MAX_VALUE, NEVER);
    assertThat(thought.move().uci()).isEqualTo("h1g1");
    assertThat(thought.depth()).isEqualTo(1);
  }

  @Test
  void thereIsNoMoveInAFinishedPosition() {
    Position stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assertThatThrownBy(() -> engine.think(stalemate, Level.FIVE, NODES, NEVER))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void equalSeedsChooseEqualMovesAtLevelsThatAreNotBoundedByTime() {
    for (Level level : List.of(Level.ONE, Level.TWO)) {
      Thought one = new Engine(new Random(7)).think(Position.initial(), level, NODES, NEVER);
      Thought two = new Engine(new Random(7)).think(Position.initial(), level, NODES, NEVER);
      assertThat(one.move()).isEqualTo(two.move());
    }
  }
}
