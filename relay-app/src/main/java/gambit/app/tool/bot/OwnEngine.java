package gambit.app.tool.bot;

import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.chess.engine.Engine;
import gambit.chess.engine.Engine.Thought;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** The engine of this program. Used by one thread. */
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

  @Override
  public void close() {}
}
