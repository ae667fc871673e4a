package gambit.chess.session.play;

import gambit.chess.game.Command;
import gambit.chess.game.Referee;
import gambit.chess.game.Ruling.Step;
import gambit.chess.rules.Side;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The deadlines of running games: the clock of each game, and the grace period of each disconnected
 * player. A timeout is decided when everything that arrived before it has been handled. Owned by
 * the chess lane.
 */
final class GameTimers {
  private static final Duration UNTIMED_GRACE = Duration.ofDays(1);

  /** The time after which an end that could not be committed is tried again. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  private record GraceKey(EventId game, Side side) {}

  private record TimeKey(EventId game) {}

  private final SessionContext context;
  private final RunningGames running;
  private final Consumer<Runnable> afterArrivals;
  private final BiConsumer<GameSession, Step> commit;
  private final Consumer<PlayerRequest> retryRequest;

  /**
   * Takes {@code afterArrivals}: runs a task when every event that has arrived is on the chess
   * lane.
   */
  GameTimers(
      SessionContext context,
      RunningGames running,
      Consumer<Runnable> afterArrivals,
      BiConsumer<GameSession, Step> commit,
      Consumer<PlayerRequest> retry) {
    this.context = context;
    this.running = running;
    this.afterArrivals = afterArrivals;
    this.commit = commit;
    this.retryRequest = retry;
  }

  void start(GameSession game) {
    setAlarm(game);
    long now = context.now();
    for (Side side : Side.values()) {
      beginGraceIfAbsent(game, side, now);
    }
  }

  void cancel(GameSession game) {
    for (Side side : Side.values()) {
      context.cancel(new GraceKey(game.id(), side));
    }
    context.cancel(new TimeKey(game.id()));
  }

  void endGrace(GameSession game, Side side) {
    game.endGrace(side);
    context.cancel(new GraceKey(game.id(), side));
  }

  /** Begins the grace period of a side without a connection, except in correspondence. */
  void beginGraceIfAbsent(GameSession game, Side side, long now) {
    if (!game.game().control().isCorrespondence()
        && !context.bindings().isPresent(game.ref().player(side))) {
      Duration grace =
          game.game().control().isUntimed() ? UNTIMED_GRACE : context.settings().abandonGrace();
      game.beginGrace(side, now + grace.toMillis());
      scheduleAbandon(game, side, grace);
    }
  }

  private void scheduleAbandon(GameSession game, Side side, Duration delay) {
    context.schedule(new GraceKey(game.id(), side), delay, () -> abandon(game, side));
  }

  private void abandon(GameSession game, Side side) {
    if (!running.contains(game) || !game.isInGrace(side)) {
      return;
    }
    long left = game.graceEnds(side) - context.now();
    if (left > 0) { // the timer uses another clock
      scheduleAbandon(game, side, Duration.ofMillis(left));
    } else {
      afterArrivals.accept(() -> context.lane().execute(() -> decideAbandon(game, side)));
    }
  }

  /** The player may have returned over an event that had arrived. */
  private void decideAbandon(GameSession game, Side side) {
    if (!running.contains(game) || !game.isInGrace(side)) {
      return;
    }
    if (context.busyPlayers().awaitIfBusy(game.players(), () -> decideAbandon(game, side))) {
      return;
    }
    if (context.now() < game.graceEnds(side)) { // it has begun again
      abandon(game, side);
    } else {
      Command abandon = new Command.Abandon(abandoningSide(game, side));
      if (Referee.decide(game.game(), abandon, context.now()) instanceof Step step) {
        commit.accept(game, step);
      }
    }
  }

  /** If both grace periods end at once, as after a restart, the side to move abandons the game. */
  private static Side abandoningSide(GameSession game, Side side) {
    return game.graceEnds(side) == game.graceEnds(side.opponent()) ? game.game().turn() : side;
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
      afterArrivals.accept(() -> context.lane().execute(() -> decideTimeout(game)));
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
    for (Side side : Side.values()) {
      if (game.isInGrace(side)) {
        long left = Math.max(RETRY_DELAY.toMillis(), game.graceEnds(side) - context.now());
        scheduleAbandon(game, side, Duration.ofMillis(left));
      }
    }
  }
}
