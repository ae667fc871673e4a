package gambit.app.tool.bot;

import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.chess.engine.Engine;
import gambit.chess.engine.Engine.Thought;
import gambit.chess.engine.Level;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.model.EventId;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Chooses moves, for any number of games. Used by one thread. */
interface MoveChooser extends AutoCloseable {

  default void prepare() {}

  /** Returns within about the request's patience, or at once if interrupted, and stays so. */
  Choice choose(MoveRequest request);

  @Override
  default void close() {}

  /** The score is for the side to move: hundredths of a pawn, a mate some 30,000. Immutable. */
  record Choice(Move move, int score, Source source) {

    enum Source {
      OWN,
      BOOK,
      UCI,
      /** The engine of this program, because the UCI engine has failed. */
      FALLBACK
    }
  }

  /**
   * A position with a legal move, and moves that lead to it from another. The patience is how long
   * the move may take in all: then the player's clock requires any move. Immutable.
   */
  record MoveRequest(
      EventId game,
      Position initial,
      List<Move> moves,
      Position position,
      Level level,
      Duration time,
      Duration patience) {

    MoveRequest within(Duration left) {
      Duration least = left.isNegative() ? Duration.ZERO : left;
      return new MoveRequest(
          game, initial, moves, position, level, time.compareTo(least) < 0 ? time : least, least);
    }
  }

  final class OwnEngine implements MoveChooser {
    private final Engine engine;
    private final BooleanSupplier mustYield;

    /** An engine that also moves as soon as a condition holds, such as that other games wait. */
    OwnEngine(RandomGenerator random, BooleanSupplier mustYield) {
      this.engine = new Engine(random);
      this.mustYield = mustYield;
    }

    @Override
    public Choice choose(MoveRequest request) {
      return choose(request, request.time(), Choice.Source.OWN);
    }

    Choice choose(MoveRequest request, Duration time, Choice.Source source) {
      long deadline = System.nanoTime() + time.toNanos();
      Thought thought =
          engine.think(
              request.position(),
              request.level(),
              Long.MAX_VALUE,
              () -> System.nanoTime() - deadline >= 0 || mustYield.getAsBoolean());
      return new Choice(thought.move(), thought.score(), source);
    }
  }
}
