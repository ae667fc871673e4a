package gambit.app.tool.bot;

import gambit.app.common.ErrorMessages;
import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.Choice.Source;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.app.tool.bot.UciEngine.UciProcess.EngineFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses moves with a UCI engine. An engine that fails is ended and started again, after a delay
 * that doubles with each failure up to a minute; meanwhile, and for the move in question, the
 * engine of this program moves. The engine is started by a thread of its own, for which one move
 * waits at most. Used by one thread.
 */
final class UciPlayer implements MoveChooser {
  private static final Logger LOG = LoggerFactory.getLogger(UciPlayer.class);
  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofMinutes(1);

  /** The least time for the own engine after the UCI engine has used up the request's. */
  private static final Duration LEAST_TIME = Duration.ofMillis(50);

  /** The longest wait for the engine before the first move, in nanoseconds. */
  private static final long PREPARE_NANOS = Duration.ofSeconds(2).toNanos();

  private final List<String> command;
  private final Duration timeout;
  private final MoveChooser.OwnEngine fallback;
  private final LongSupplier nanoTime;

  private @Nullable UciEngine engine;
  private @Nullable Start start;

  private static final class Start {
    private final CompletableFuture<UciEngine> result = new CompletableFuture<>();
    private final Thread thread;

    private boolean isAwaited;

    private Start(List<String> command, Duration timeout) {
      thread =
          new Thread(
              () -> {
                try {
                  result.complete(UciEngine.start(command, timeout));
                } catch (Exception | Error e) {
                  result.completeExceptionally(e);
                }
              },
              "uci-engine-start");
      thread.setDaemon(true);
      thread.start();
    }

    /** Ends the engine, also if it becomes ready later. */
    private void cancel() {
      thread.interrupt();
      result.thenAccept(UciEngine::close);
    }
  }

  private Duration delay = Duration.ZERO;
  private long failedAt;

  /** The timeout is for each answer of the engine while it is started. */
  UciPlayer(
      List<String> command,
      Duration timeout,
      MoveChooser.OwnEngine fallback,
      LongSupplier nanoTime) {
    this.command = command;
    this.timeout = timeout;
    this.fallback = fallback;
    this.nanoTime = nanoTime;
  }

  /** Starts the engine, so that a wrong command is reported at once. */
  @Override
  public void prepare() {
    try {
      running(PREPARE_NANOS);
    } catch (EngineFailure e) {
      failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Choice choose(MoveRequest request) {
    long begin = System.nanoTime();
    try {
      UciEngine current = running(request);
      if (current != null) {
        Choice choice = current.choose(request.within(left(request, begin)));
        delay = Duration.ZERO;
        return choice;
      }
    } catch (EngineFailure e) {
      failed(e);
    } catch (InterruptedException e) {
      close(); // an answer may be under way, which must not be taken for the answer to a later go
      Thread.currentThread().interrupt();
    }
    Duration left = left(request, begin);
    Duration time = left.compareTo(request.time()) < 0 ? left : request.time();
    return fallback.choose(
        request, time.compareTo(LEAST_TIME) < 0 ? LEAST_TIME : time, Source.FALLBACK);
  }

  private static Duration left(MoveRequest request, long begin) {
    return request.patience().minusNanos(System.nanoTime() - begin);
  }

  /** The engine; null while the own engine must move. One move waits for a start. */
  private @Nullable UciEngine running(MoveRequest request)
      throws EngineFailure, InterruptedException {
    Start current = start;
    boolean mayWait = current == null || !current.isAwaited;
    long spare =
        request.patience().minus(request.time()).toNanos() / 2; // the engine needs the rest
    UciEngine ready = running(mayWait ? spare : 0);
    if (start != null) {
      start.isAwaited = true;
    }
    return ready;
  }

  /** The engine, started if there is none; null if it is not ready in time. */
  private @Nullable UciEngine running(long waitNanos) throws EngineFailure, InterruptedException {
    if (engine != null) {
      return engine;
    }
    if (start == null && (delay.isZero() || nanoTime.getAsLong() - failedAt >= delay.toNanos())) {
      start = new Start(command, timeout);
    }
    Start current = start;
    if (current == null) {
      return null;
    }
    try {
      UciEngine ready = current.result.get(waitNanos, TimeUnit.NANOSECONDS);
      start = null;
      engine = ready;
      String name = ready.name().isEmpty() ? "" : ": " + ready.name();
      LOG.info("The engine {} is ready{}", command.get(0), name);
      return ready;
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof EngineFailure failure
          ? failure
          : new EngineFailure("cannot be started: " + ErrorMessages.of(cause == null ? e : cause));
    }
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
    Start starting = start;
    if (starting != null) {
      start = null;
      starting.cancel();
    }
    UciEngine current = engine;
    if (current != null) {
      engine = null;
      current.close();
    }
  }
}
