package gambit.chess.session.play;

import gambit.chess.game.Command;
import gambit.chess.game.Referee;
import gambit.chess.game.Ruling.Step;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The deadlines of running games: the clock of each game, and with it the grace periods of {@link
 * AbsentPlayers}. A timeout is decided when everything that arrived before it has been handled.
 * Owned by the chess lane.
 */
final class GameTimers {
  /** The time after which an end that could not be committed is tried again. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  private record TimeKey(EventId game) {}

  private final SessionContext context;
  private final RunningGames running;
  private final AbsentPlayers absent;
  private final BiConsumer<GameSession, Step> commit;
  private final Consumer<PlayerRequest> retryRequest;

  GameTimers(
      SessionContext context,
      RunningGames running,
      AbsentPlayers absent,
      BiConsumer<GameSession, Step> commit,
      Consumer<PlayerRequest> retry) {
    this.context = context;
    this.running = running;
    this.absent = absent;
    this.commit = commit;
    this.retryRequest = retry;
  }

  void start(GameSession game) {
    setAlarm(game);
    absent.beginGraces(game);
  }

  void cancel(GameSession game) {
    absent.cancelGraces(game);
    context.cancel(new TimeKey(game.id()));
  }

  /** Sets the alarm for the game's deadline, unless one is set for that time or earlier. */
  void setAlarm(GameSession game) {
    long deadline = game.game().deadline();
    if (deadline < game.alarmAt()) {
      game.alarmAt(deadline);
      Duration wait = Duration.ofMillis(Math.max(0, deadline - context.now()));
      context.schedule(new TimeKey(game.id()), wait, () -> alarm(game));
    }
  }

  private void alarm(GameSession game) {
    game.alarmAt(GameSession.NEVER);
    if (!running.contains(game)) {
      return;
    }
    if (context.now() < game.game().deadline()) {
      setAlarm(game);
    } else {
      checkTimeout(game);
    }
  }

  /** Decides a timeout when everything that has arrived by now is handled. */
  void checkTimeout(GameSession game) {
    if (game.beginTimeoutDecision()) {
      context.afterArrivals().accept(() -> decideTimeout(game));
    }
  }

  private void decideTimeout(GameSession game) {
    if (!running.contains(game)) {
      game.endTimeoutDecision().forEach(retryRequest);
      return;
    }
    if (context.busyPlayers().awaitIfBusy(game.players(), () -> decideTimeout(game))) {
      return;
    }
    if (Referee.decide(game.game(), new Command.TimeUp(), context.now()) instanceof Step step) {
      commit.accept(game, step);
    } else {
      game.endTimeoutDecision().forEach(retryRequest);
      setAlarm(game);
    }
  }

  /**
   * Schedules another attempt of the relay's step that could not be committed. Requests that have
   * waited for it are refused.
   */
  void retry(GameSession game, WriteOutcome outcome) {
    game.endTimeoutDecision()
        .forEach(late -> context.send(late.submission().refused(outcome.reason())));
    context.schedule(new TimeKey(game.id()), RETRY_DELAY, () -> alarm(game));
    absent.retry(game, RETRY_DELAY);
  }
}
