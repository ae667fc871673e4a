package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.game.Command;
import gambit.chess.game.Referee;
import gambit.chess.game.Ruling.Step;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The deadlines of running games: the clock of each game, and the grace periods of players without
 * a bound connection. An absent player's clock runs on. Beside it, a grace period runs in the live
 * game; a player who has not returned at its end abandons the game. Meanwhile, unbound connections
 * that subscribe to the game are asked to log in, since one may be the player's. A timeout is
 * decided when everything that arrived before it has been handled.
 *
 * <p>Owned by the chess lane; {@link #subscribed} may be called from any thread.
 *
 * @param commit commits a step that the relay has caused
 */
public record GameTimers(
    SessionContext context,
    RunningGames running,
    BiConsumer<GameSession, Step> commit,
    Consumer<PlayerRequest> retryRequest) {
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  private record TimeKey(EventId game) {}

  private record GraceKey(EventId game, Side side) {}

  void start(GameSession game) {
    setAlarm(game);
    long now = context.now();
    for (Side side : Side.values()) {
      beginGraceIfAbsent(game, side, now);
    }
  }

  void cancel(GameSession game) {
    for (Side side : Side.values()) {
      context.deadlines().cancel(new GraceKey(game.id(), side));
    }
    context.deadlines().cancel(new TimeKey(game.id()));
  }

  /** Sets the alarm for the game's deadline, unless one is set for that time or earlier. */
  void setAlarm(GameSession game) {
    long deadline = game.game().deadline();
    if (deadline < game.alarmAt) {
      game.alarmAt = deadline;
      Duration wait = Duration.ofMillis(Math.max(0, deadline - context.now()));
      context.schedule(new TimeKey(game.id()), wait, () -> alarm(game));
    }
  }

  private void alarm(GameSession game) {
    game.alarmAt = GameSession.NEVER;
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
    for (PlayerRequest late : game.endTimeoutDecision()) {
      context.send(late.submission().refused(outcome.reason()));
    }
    context.schedule(new TimeKey(game.id()), RETRY_DELAY, () -> alarm(game));
    for (Side side : Side.values()) {
      if (game.isInGrace(side)) {
        long left = Math.max(RETRY_DELAY.toMillis(), game.graceEnds(side) - context.now());
        scheduleAbandon(game, side, Duration.ofMillis(left));
      }
    }
  }

  /** Ends the grace period, in each game, of a player who has a connection again. */
  public void playerConnected(PubKey player) {
    for (GameSession game : running.of(player)) {
      Side side = game.sideOf(player);
      game.graceEnds(side, GameSession.NEVER);
      context.deadlines().cancel(new GraceKey(game.id(), side));
    }
    connectionsChanged(player);
  }

  /** A player has one connection more or fewer. */
  public void connectionsChanged(PubKey player) {
    running.of(player).forEach(running.presences()::changed);
  }

  /** Begins the grace period, in each game, of a player whose last connection was closed. */
  public void playerDisconnected(PubKey player) {
    for (GameSession game : running.of(player)) {
      beginGraceIfAbsent(game, game.sideOf(player), context.now());
      if (!game.ref().isSlow()) { // a player of many slow games, which do not end, comes and goes
        requestLoginsIfAbsent(player, game);
      }
    }
    connectionsChanged(player);
  }

  /** Begins the grace period of a side without a connection, except in a slow game. */
  private void beginGraceIfAbsent(GameSession game, Side side, long now) {
    if (!game.ref().isSlow() && !context.bindings().isPresent(game.ref().player(side))) {
      Duration grace = context.settings().abandonGrace();
      game.graceEnds(side, now + grace.toMillis());
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
      context.afterArrivals().accept(() -> decideAbandon(game, side));
    }
  }

  /** The player may have returned over an event that had arrived. */
  private void decideAbandon(GameSession game, Side side) {
    if (!running.contains(game)
        || !game.isInGrace(side)
        || context.busyPlayers().awaitIfBusy(game.players(), () -> decideAbandon(game, side))) {
      return;
    }
    if (context.now() < game.graceEnds(side)) { // it has begun again
      abandon(game, side);
    } else {
      // if both grace periods end at once, as after a restart, the side to move abandons the game
      boolean isTie = game.graceEnds(side) == game.graceEnds(side.opponent());
      Command abandon = new Command.Abandon(isTie ? game.game().turn() : side);
      if (Referee.decide(game.game(), abandon, context.now()) instanceof Step step) {
        commit.accept(game, step);
      }
    }
  }

  /** Asks the connections for a login that subscribe to a game with an absent player. */
  void requestLoginsIfAbsent(PubKey player, GameSession game) {
    if (!context.bindings().isPresent(player)) {
      Side side = game.sideOf(player);
      Notification shown =
          game.ref().dialect(side).shown(game.ref(), game.game(), side, context.now());
      context.send(new Outgoing.SubscriptionCheck(shown.event()));
    }
  }

  /** Asks an unbound connection for a login if it subscribes to a player of a running game. */
  public void subscribed(ClientConnection connection, List<Filter> filters) {
    if (connection.keys().isEmpty()
        && !running.known().isEmpty()
        && filters.stream()
            .flatMap(KnownGames::named)
            .anyMatch(key -> concernsOthers(key, connection))) {
      connection.requestLogin();
    }
  }

  /** Whether a player has games to none of whose players the connection is bound. */
  private boolean concernsOthers(PubKey key, ClientConnection connection) {
    Set<GameRef> own = running.known().of(key);
    return !own.isEmpty() && own.stream().noneMatch(game -> isBoundIn(game, connection));
  }

  private boolean isBoundIn(GameRef game, ClientConnection connection) {
    return context.bindings().isBound(game.white().player(), connection)
        || context.bindings().isBound(game.black().player(), connection);
  }
}
