package gambit.app.bot;

import gambit.app.bot.Choice.Source;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses moves with a UCI engine. An engine that fails is ended and started again, after a delay
 * that doubles with each failure up to a minute; meanwhile, and for the move in question, the
 * engine of this program moves. Used by one thread.
 */
final class UciPlayer implements MoveChooser {
  private static final Logger LOG = LoggerFactory.getLogger(UciPlayer.class);
  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofMinutes(1);

  /** The least time for the own engine after the UCI engine has used up the request's. */
  private static final Duration LEAST_TIME = Duration.ofMillis(50);

  private final List<String> command;
  private final Duration timeout;
  private final OwnEngine fallback;
  private final LongSupplier nanoTime;

  private @Nullable UciEngine engine;
  private Duration delay = Duration.ZERO;
  private long failedAt;

  /**
   * A player.
   *
   * @param command the engine's program and its arguments
   * @param timeout for the start of the engine
   * @param nanoTime the clock by which the engine is started again
   */
  UciPlayer(List<String> command, Duration timeout, OwnEngine fallback, LongSupplier nanoTime) {
    this.command = command;
    this.timeout = timeout;
    this.fallback = fallback;
    this.nanoTime = nanoTime;
  }

  /** Starts the engine, so that a wrong command is reported at once. */
  @Override
  public void prepare() {
    try {
      running();
    } catch (EngineFailure e) {
      failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Choice choose(MoveRequest request) {
    long start = System.nanoTime();
    try {
      UciEngine current = running();
      if (current != null) {
        Choice choice = current.choose(request);
        delay = Duration.ZERO;
        return choice;
      }
    } catch (EngineFailure e) {
      failed(e);
    } catch (InterruptedException e) {
      close(); // an answer may be under way, which must not be taken for the answer to a later go
      Thread.currentThread().interrupt();
    }
    Duration left = request.patience().minusNanos(System.nanoTime() - start);
    Duration time = left.compareTo(request.time()) < 0 ? left : request.time();
    return fallback.choose(
        request, time.compareTo(LEAST_TIME) < 0 ? LEAST_TIME : time, Source.FALLBACK);
  }

  /** The engine, started if there is none; null while it must not be started again. */
  private @Nullable UciEngine running() throws EngineFailure, InterruptedException {
    if (engine == null && (delay.isZero() || nanoTime.getAsLong() - failedAt >= delay.toNanos())) {
      engine = UciEngine.start(command, timeout);
      LOG.info("The engine {} is ready{}", command.get(0), named(engine.name()));
    }
    return engine;
  }

  private static String named(String name) {
    return name.isEmpty() ? "" : ": " + name;
  }

  private void failed(EngineFailure failure) {
    close();
    failedAt = nanoTime.getAsLong();
    Duration doubled = delay.isZero() ? FIRST_DELAY : delay.multipliedBy(2);
    delay = doubled.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : doubled;
    LOG.warn(
        "The engine {} {}; the built-in engine moves, and it is started again after {} s",
        command.get(0),
        failure.getMessage(),
        delay.toSeconds());
  }

  @Override
  public void close() {
    UciEngine current = engine;
    if (current != null) {
      engine = null;
      current.close();
    }
  }
}
