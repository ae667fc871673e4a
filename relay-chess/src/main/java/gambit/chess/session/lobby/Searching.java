package gambit.chess.session.lobby;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectTraits.Trait;
import gambit.chess.dialect.Request;
import gambit.chess.game.Playing;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Searches for an opponent: players wait in queues and are paired. The chess lane's only. A search
 * that is granted is committed before it takes effect.
 */
public final class Searching {
  /** For how long two players are kept apart after one of them left a fresh pairing. */
  private static final Duration APART = Duration.ofSeconds(10);

  private final SessionContext context;
  private final Games games;
  private final ReturningPlayers returning;
  private final GameFactory factory;
  private final LobbyCommits commits;
  private final Searches searches = new Searches();

  Searching(SessionContext context, Games games, ReturningPlayers returning, GameFactory factory) {
    this.context = context;
    this.games = games;
    this.returning = returning;
    this.factory = factory;
    this.commits = new LobbyCommits(context);
  }

  /** The number of players who search. */
  public int size() {
    return searches.size();
  }

  /** Whether a player searches. */
  public boolean contains(PubKey player) {
    return searches.contains(player);
  }

  /** Whether these are the answers of a search that runs, or of a game that does. */
  public boolean isCurrent(PubKey player, ColourAnswers answers) {
    GameSession game = games.of(player);
    return searches.colourAnswersOf(player) == answers
        || (game != null && game.colourAnswers(game.sideOf(player)) == answers);
  }

  /** Looks for a game, or shows the one that runs. */
  public void connect(PlayerRequest request, Request.Connect connect) {
    TimeControl time = connect.time() == null ? context.settings().defaultTime() : connect.time();
    if (!context.bind(request)) {
      return;
    }
    PubKey player = request.player();
    returning.connected(player, request.submission().connection());
    GameSession game = games.of(player);
    Announcements told = context.announce();
    if (game == null) {
      boolean already = searches.contains(player);
      told.reply(
          request.submission(),
          request.writer().searching(request.event(), already, context.now()));
    } else {
      told.reply(request.submission(), request.writer().granted(request.event(), List.of()));
      resume(request, game, told);
    }
    commits.commit(
        request,
        List.of(),
        told,
        true,
        () -> // a game may be beginning in the meantime
        context
                .inboxes()
                .awaitFirst(
                    player,
                    () -> context.seen().accepted(request.id(), begin(request, time, game))),
        () -> {});
  }

  /** Shows the game to the connection that has come back to it. */
  private void resume(PlayerRequest request, GameSession game, Announcements told) {
    PubKey player = request.player();
    ClientConnection here = request.submission().connection();
    returning.show(player, here, request.dialect(), game, told);
    told.colour(request.colourAnswers(), game.sideOf(player));
    returning.showProposal(player, here, request.dialect(), game, told);
  }

  /**
   * Joins the queue, unless there is a game by now; returns what the connect has led to.
   *
   * @param shown the game that it was answered with, which may be over by now; or null
   */
  private ColourAnswers begin(
      PlayerRequest request, TimeControl time, @Nullable GameSession shown) {
    PubKey player = request.player();
    if (shown != null) {
      return shown.colourAnswers(shown.sideOf(player));
    }
    GameSession game = games.of(player);
    if (game != null) { // it has begun in the meantime
      Announcements told = context.announce();
      resume(request, game, told);
      context.commits().tell(told.outgoing());
      return game.colourAnswers(game.sideOf(player));
    }
    ColourAnswers colourAnswers = searches.colourAnswersOf(player);
    if (colourAnswers == null) {
      colourAnswers = new ColourAnswers();
      if (context.bindings().isPresent(player)) {
        searches.begin(player, time, colourAnswers);
      }
    }
    if (request.dialect().traits().has(Trait.CONFIRMS_COLOURS)) {
      colourAnswers.add(request.submission().connection(), request.id(), request.writer());
    }
    pairAll(time);
    return colourAnswers;
  }

  /** Looks for a game no longer; a game that has just been found is called off. */
  public void cancelSearch(PlayerRequest request) {
    GameSession game = games.of(request.player());
    if (game == null || !games.cancel(request, game)) {
      leaveQueue(request);
    }
  }

  /** As {@link #cancelSearch}; false when there is nothing to cancel. */
  public boolean quit(PlayerRequest request) {
    GameSession game = games.of(request.player());
    if (game != null) {
      return games.cancel(request, game);
    }
    boolean searches = contains(request.player());
    if (searches) {
      leaveQueue(request);
    }
    return searches;
  }

  private void leaveQueue(PlayerRequest request) {
    if (!context.bind(request)) {
      return;
    }
    Announcements told = commits.granted(request);
    Searches.Search search = searches.leave(request.player());
    commits.commit(
        request,
        List.of(),
        told,
        false,
        () -> context.seen().accepted(request.id(), null),
        () -> putBack(request.player(), search));
  }

  /** A player's last connection is gone. */
  public void leave(PubKey player) {
    searches.leave(player);
  }

  /** Takes a search back without an answer; returns it, if there was one. */
  Searches.@Nullable Search takeOut(PubKey player) {
    return searches.leave(player);
  }

  /** Lets the opponent search again, first in the queue, when a player has left a fresh pairing. */
  void searchAgain(GameSession game, PubKey leaver) {
    PubKey other = game.opponentOf(leaver);
    if (context.bindings().isPresent(other)) {
      Side side = game.sideOf(other);
      TimeControl time = game.game().control();
      long until = context.now() + APART.toMillis();
      searches.beginFirst(other, time, game.colourAnswers(side), leaver, until);
      Announcements told = context.announce();
      told.tell(other, game.ref().dialect(side).writer().searchesAgain(other, context.now()));
      context.commits().tell(told.outgoing());
      pairAll(time);
    }
  }

  void putBack(PubKey player, Searches.@Nullable Search search) {
    if (search != null && context.bindings().isPresent(player)) {
      searches.beginFirst(player, search.time(), search.colourAnswers(), player, 0);
      pairAll(search.time());
    }
  }

  private void pairAll(TimeControl time) {
    long now = context.now();
    for (var pair = searches.pair(time, now); pair.isPresent(); pair = searches.pair(time, now)) {
      boolean swap = factory.draw();
      Searches.Paired first = pair.get().first();
      Searches.Paired second = pair.get().second();
      start(swap ? second : first, swap ? first : second, time, now);
    }
    OptionalLong retry = searches.nextRetry(time, now);
    if (retry.isPresent()) {
      Duration wait = Duration.ofMillis(Math.max(1, retry.getAsLong() - now));
      context.timers().schedule(new PairingKey(time), wait, () -> pairAll(time));
    }
  }

  private record PairingKey(TimeControl time) {}

  private void start(Searches.Paired white, Searches.Paired black, TimeControl time, long now) {
    Event found = factory.gameIsFound(white, black, time, Rules.initial(), now);
    Playing playing = factory.start(time, Rules.initial(), now);
    GameSession game = factory.make(found, white, black, playing, true);
    games.begin(
        game,
        found,
        context.announce(),
        Commit.of(List.of()),
        outcome -> List.of(),
        outcome -> {
          if (outcome != WriteOutcome.STORED) {
            tellFailure(game, outcome.reason());
          }
        });
  }

  private void tellFailure(GameSession game, Reason reason) {
    Announcements told = context.announce();
    for (Side side : Side.values()) {
      PubKey player = game.ref().player(side);
      ColourAnswers colourAnswers = game.colourAnswers(side);
      colourAnswers.refusals(reason).forEach(told::say);
      // who has changed the dialect since is told in any, as there is nothing else to refuse
      List<Dialect> dialects =
          colourAnswers.isEmpty() ? context.dialects() : List.of(game.ref().dialect(side));
      for (Dialect dialect : dialects) {
        told.tell(player, dialect.writer().notStarted(player, reason, context.now()));
      }
    }
    context.commits().tell(told.outgoing());
  }
}
