package gambit.chess.session.play;

import gambit.chess.game.Command;
import gambit.chess.game.Referee;
import gambit.chess.game.Step;
import gambit.chess.rules.Side;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The deadlines of running games: each game's clock, and the period of grace of each player without
 * a connection. Time is up only when everything that arrived before has been decided. The chess
 * lane's only.
 */
final class GameTimers {
  /** The period of grace in a game without clocks. */
  private static final Duration UNTIMED_GRACE = Duration.ofDays(1);

  /** After how long the end of a game is tried again that could not be committed. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private record GraceKey(EventId game, Side side) {}

  private record TimeKey(EventId game) {}

  private final SessionContext context;
  private final RunningGames running;
  private final Consumer<Runnable> afterArrivals;
  private final BiConsumer<GameSession, Step> commit;
  private final Consumer<PlayerRequest> again;

  /**
   * Timers of no games yet.
   *
   * @param afterArrivals runs a task when every event that has arrived is on the chess lane
   * @param commit commits a step that the relay causes
   * @param again handles a request that has waited for a judgement
   */
  GameTimers(
      SessionContext context,
      RunningGames running,
      Consumer<Runnable> afterArrivals,
      BiConsumer<GameSession, Step> commit,
      Consumer<PlayerRequest> again) {
    this.context = context;
    this.running = running;
    this.afterArrivals = afterArrivals;
    this.commit = commit;
    this.again = again;
  }

  /** Starts the timers of a game. */
  void start(GameSession game) {
    arm(game);
    long now = context.now();
    for (Side side : Side.values()) {
      watch(game, side, now);
    }
  }

  /** Cancels the timers of a game. */
  void cancel(GameSession game) {
    for (Side side : Side.values()) {
      context.timers().cancel(new GraceKey(game.id(), side));
    }
    context.timers().cancel(new TimeKey(game.id()));
  }

  /** Ends the period of grace of a player who has a connection again. */
  void comeBack(GameSession game, Side side) {
    game.comeBack(side);
    context.timers().cancel(new GraceKey(game.id(), side));
  }

  /** Begins the period of grace of a player without a connection, but not in correspondence. */
  void watch(GameSession game, Side side, long now) {
    if (!game.game().control().isCorrespondence()
        && !context.bindings().isPresent(game.ref().player(side))) {
      Duration grace =
          game.game().control().isUntimed() ? UNTIMED_GRACE : context.settings().abandonGrace();
      game.leave(side, now + grace.toMillis());
      scheduleAbandon(game, side, grace);
    }
  }

  private void scheduleAbandon(GameSession game, Side side, Duration delay) {
    context.timers().schedule(new GraceKey(game.id(), side), delay, () -> abandon(game, side));
  }

  private void abandon(GameSession game, Side side) {
    if (!running.contains(game) || !game.isGone(side)) {
      return;
    }
    long left = game.graceEnds(side) - context.now();
    if (left > 0) { // the timer uses another clock
      scheduleAbandon(game, side, Duration.ofMillis(left));
    } else if (isBusy(game)) {
      await(game, () -> abandon(game, side));
    } else {
      Command abandon = new Command.Abandon(firstGone(game, side));
      if (Referee.decide(game.game(), abandon, context.now()) instanceof Step step) {
        commit.accept(game, step);
      }
    }
  }

  /** On a tie, as after a restart, the side to move is treated as absent. */
  private static Side firstGone(GameSession game, Side side) {
    return game.graceEnds(side) == game.graceEnds(side.opponent()) ? game.game().turn() : side;
  }

  private boolean isBusy(GameSession game) {
    return game.players().stream().anyMatch(context.inboxes()::isBusy);
  }

  private void await(GameSession game, Runnable task) {
    PubKey busy =
        game.players().stream().filter(context.inboxes()::isBusy).findFirst().orElseThrow();
    context.inboxes().await(busy, task);
  }

  /** Schedules an alarm at the game's deadline, unless there is one at that time or before. */
  void arm(GameSession game) {
    long deadline = game.game().deadline();
    if (deadline < game.alarmAt()) {
      game.alarmAt(deadline);
      Duration wait = Duration.ofMillis(Math.max(0, deadline - context.now()));
      context.timers().schedule(new TimeKey(game.id()), wait, () -> ring(game));
    }
  }

  private void ring(GameSession game) {
    game.alarmAt(GameSession.NEVER);
    if (!running.contains(game)) {
      return;
    }
    if (context.now() < game.game().deadline()) {
      arm(game);
    } else {
      timeIsUp(game);
    }
  }

  /** Judges the game when everything that has arrived by now is handled. */
  void timeIsUp(GameSession game) {
    if (!game.isJudging()) {
      game.beginJudging();
      afterArrivals.accept(() -> context.timers().lane().execute(() -> judge(game)));
    }
  }

  private void judge(GameSession game) {
    if (!running.contains(game)) {
      game.endJudging().forEach(again);
    } else if (isBusy(game)) {
      await(game, () -> judge(game));
    } else if (Referee.decide(game.game(), new Command.TimeUp(), context.now())
        instanceof Step step) {
      commit.accept(game, step);
    } else {
      game.endJudging().forEach(again);
      arm(game);
    }
  }

  /**
   * Tries again to end a game, when the relay's step could not be committed; requests that waited
   * for it are refused.
   */
  void retry(GameSession game, WriteOutcome outcome) {
    game.endJudging().forEach(late -> context.tell(late.submission().refused(outcome.reason())));
    context.timers().schedule(new TimeKey(game.id()), RETRY, () -> ring(game));
    for (Side side : Side.values()) {
      if (game.isGone(side)) {
        long left = Math.max(RETRY.toMillis(), game.graceEnds(side) - context.now());
        scheduleAbandon(game, side, Duration.ofMillis(left));
      }
    }
  }
}
