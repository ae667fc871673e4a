package gambit.chess.session.lobby;

import gambit.chess.dialect.Dialect;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Positions;
import gambit.chess.rules.Side;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Commit;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Pairs the players who search, and begins their games. Owned by the chess lane. */
final class Pairing {
  private final SessionContext context;
  private final Games games;
  private final Predicate<PubKey> isRefused;
  private final GameFactory factory;
  private final SearchQueues queues;

  private record PairingKey(TimeControl time) {}

  /**
   * Pairs the players of queues.
   *
   * @param isRefused whether the relay refuses a player's events, perhaps only since the search
   */
  Pairing(
      SessionContext context,
      Games games,
      Predicate<PubKey> isRefused,
      GameFactory factory,
      SearchQueues queues) {
    this.context = context;
    this.games = games;
    this.isRefused = isRefused;
    this.factory = factory;
    this.queues = queues;
  }

  /** Pairs the players of a queue until no two are left who may be paired. */
  void pairAll(TimeControl time) {
    queues.players(time).stream().filter(isRefused).forEach(this::endRefused);
    long now = context.now();
    for (var pair = queues.pair(time, now); pair.isPresent(); pair = queues.pair(time, now)) {
      boolean swap = factory.draw();
      SearchQueues.Paired first = pair.get().first();
      SearchQueues.Paired second = pair.get().second();
      start(swap ? second : first, swap ? first : second, time);
    }
    OptionalLong retry = queues.nextRetry(time, now);
    if (retry.isPresent()) {
      Duration wait = Duration.ofMillis(Math.max(1, retry.getAsLong() - now));
      context.schedule(new PairingKey(time), wait, () -> pairAll(time));
    }
  }

  /** Ends the search of a player whose events are refused by now: no opponent could play them. */
  private void endRefused(PubKey player) {
    SearchQueues.Search search = queues.remove(player);
    if (search != null) {
      Announcements announcements = context.announce();
      ColourNotifications colourNotifications = search.colourNotifications();
      // a dialect without colour notifications is not remembered while its player searches
      List<Dialect> dialects = colourNotifications.isEmpty() ? context.dialects() : List.of();
      announceFailure(
          player, colourNotifications, dialects, WriteOutcome.BANNED.reason(), announcements);
      context.commits().send(announcements.outgoing());
    }
  }

  private void start(SearchQueues.Paired white, SearchQueues.Paired black, TimeControl time) {
    GameFactory.NewGame created = factory.create(white, black, time, Positions.initial(), true);
    GameSession game = created.session();
    games.begin(
        game,
        created.found(),
        context.announce(),
        Commit.of(List.of()),
        outcome -> List.of(),
        outcome -> {
          if (outcome != WriteOutcome.STORED) {
            announceFailure(game, outcome.reason());
          }
        });
  }

  private void announceFailure(GameSession game, Reason reason) {
    Announcements announcements = context.announce();
    for (Side side : Side.values()) {
      PubKey player = game.ref().player(side);
      ColourNotifications colourNotifications = game.colourNotifications(side);
      // without a colour notification to refuse, the player may search in another dialect by now
      List<Dialect> dialects =
          colourNotifications.isEmpty() ? context.dialects() : List.of(game.ref().dialect(side));
      announceFailure(player, colourNotifications, dialects, reason, announcements);
    }
    context.commits().send(announcements.outgoing());
  }

  private void announceFailure(
      PubKey player,
      ColourNotifications colourNotifications,
      List<Dialect> dialects,
      Reason reason,
      Announcements announcements) {
    colourNotifications.refusals(reason).forEach(announcements::add);
    for (Dialect dialect : dialects) {
      announcements.notifyPlayer(player, dialect.notStarted(player, reason, context.now()));
    }
  }
}
