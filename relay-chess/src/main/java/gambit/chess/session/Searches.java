package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.Request;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.SearchQueues.SearchTerms;
import gambit.chess.session.play.Announcements;
import gambit.chess.session.play.ColourNotifications;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.PlayerRequest;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.play.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches for any opponent: players wait in queues and are paired. A granted request takes effect
 * once it is committed. Owned by the chess lane.
 */
public final class Searches {
  /** The time in which two players are not paired again after one of them has left their game. */
  private static final Duration KEPT_APART = Duration.ofSeconds(10);

  private static final Reason NOT_SEARCHED =
      Reason.invalid("nobody is paired for a slow game, send an invite");

  private final SessionContext context;
  private final Games games;
  private final ReturningPlayers returning;
  private final SearchQueues queues = new SearchQueues();
  private final Predicate<PubKey> isRefused; // by the relay, perhaps only since the search

  private record PairingKey(SearchTerms terms) {}

  public Searches(
      SessionContext context,
      Games games,
      ReturningPlayers returning,
      Predicate<PubKey> isRefused) {
    this.context = context;
    this.games = games;
    this.returning = returning;
    this.isRefused = isRefused;
  }

  public SearchQueues queues() {
    return queues;
  }

  /** Whether a connect with these notifications has led to the player's search or running game. */
  public boolean isCurrent(PubKey player, ColourNotifications notifications) {
    return queues.colourNotificationsOf(player) == notifications
        || games.of(player).stream()
            .anyMatch(game -> game.colourNotifications(game.sideOf(player)) == notifications);
  }

  /**
   * Begins a search, or resumes the player's live game. A player who may have several live games at
   * once never searches; all games are resumed.
   */
  public void connect(PlayerRequest request, Request.Connect connect) {
    TimeControl time = connect.time() == null ? context.settings().defaultTime() : connect.time();
    SearchTerms terms = new SearchTerms(time, connect.isRated());
    PubKey player = request.player();
    boolean mayQueue = !context.settings().simultaneousGames().includes(player);
    List<GameSession> shown = mayQueue ? games.liveOf(player) : games.of(player);
    boolean searches = mayQueue && shown.isEmpty();
    Optional<Reason> objection =
        connect.isRated() ? context.ratings().objection() : Optional.empty();
    if (searches && time.isSlow()) {
      context.refuse(request, NOT_SEARCHED);
      return;
    } else if (searches && objection.isPresent()) {
      context.refuse(request, objection.get());
      return;
    } else if (!context.bind(request)) {
      return;
    }
    returning.connected(player, request.submission().connection(), shown);
    Announcements announcements = context.announce();
    announcements.reply(
        request.submission(),
        searches
            ? request.dialect().searching(request.event(), queues.contains(player), context.now())
            : request.dialect().granted(request.event(), List.of()));
    if (searches) {
      games.prepareDraw(); // its commit precedes the answer
    } else {
      resume(request, shown, announcements);
    }
    context.commit(
        request,
        announcements,
        mayQueue,
        () -> {
          if (mayQueue) { // a game may be about to begin, so this waits for its commit
            context
                .busyPlayers()
                .awaitFirst(
                    player,
                    () -> context.seen().accepted(request.id(), begin(request, terms, shown)));
          } else {
            context.seen().accepted(request.id(), null);
          }
        },
        () -> {});
  }

  /**
   * Shows the running games on the connection of a connect, with the colour if there is one game.
   */
  private void resume(PlayerRequest request, List<GameSession> shown, Announcements announcements) {
    PubKey player = request.player();
    ClientConnection here = request.submission().connection();
    for (GameSession game : shown) {
      returning.show(player, here, request.dialect(), game, announcements, isSent -> {});
      if (shown.size() == 1) {
        announcements.addAll(request.colourNotifications().oks(game.sideOf(player)));
      }
      returning.showProposal(player, here, request.dialect(), game, announcements);
    }
  }

  /**
   * Adds the player to a queue, unless a game has begun since the connect arrived; returns the
   * colour notifications of the search or of that game.
   *
   * @param shown the games that the connect was answered with, which may have ended since
   */
  private ColourNotifications begin(
      PlayerRequest request, SearchTerms terms, List<GameSession> shown) {
    PubKey player = request.player();
    List<GameSession> running = shown.isEmpty() ? games.liveOf(player) : shown;
    if (!running.isEmpty()) {
      if (shown.isEmpty()) {
        Announcements announcements = context.announce();
        resume(request, running, announcements);
        context.commits().send(announcements.outgoing());
      }
      GameSession game = running.get(0);
      return game.colourNotifications(game.sideOf(player));
    }
    ColourNotifications present = queues.colourNotificationsOf(player);
    ColourNotifications colourNotifications =
        present == null ? request.colourNotifications() : present;
    if (present == null && context.bindings().isPresent(player)) {
      queues.add(search(player, request.id(), terms, colourNotifications, null));
    } else if (present != null && request.dialect().has(Trait.CONFIRMS_COLOURS)) {
      colourNotifications.add(request.submission().connection(), request.id());
    }
    pairAll(terms);
    return colourNotifications;
  }

  private SearchQueues.Search search(
      PubKey player,
      EventId event,
      SearchTerms terms,
      ColourNotifications colourNotifications,
      @Nullable PubKey notWith) {
    long now = context.now();
    int rating =
        terms.isRated()
            ? context.ratings().of(player, Category.of(terms.time()).orElseThrow()).rating()
            : 0;
    long until = notWith == null ? Long.MIN_VALUE : now + KEPT_APART.toMillis();
    return new SearchQueues.Search(
        player, event, terms, colourNotifications, rating, now, notWith, until);
  }

  public void cancelSearch(PlayerRequest request, @Nullable GameSession game) {
    if (game == null || !games.cancel(request, game)) {
      leaveQueue(request);
    }
  }

  /** As {@link #cancelSearch}; false if there is neither a search nor such a game. */
  public boolean quit(PlayerRequest request, @Nullable GameSession game) {
    if (game != null) {
      return games.cancel(request, game);
    }
    boolean isSearching = queues.contains(request.player());
    if (isSearching) {
      leaveQueue(request);
    }
    return isSearching;
  }

  private void leaveQueue(PlayerRequest request) {
    if (!context.bind(request)) {
      return;
    }
    Announcements announcements = context.granted(request);
    SearchQueues.Search search = queues.remove(request.player());
    context.commit(
        request,
        announcements,
        false,
        () -> context.seen().accepted(request.id(), null),
        () -> putBack(search));
  }

  public void playerDisconnected(PubKey player) {
    queues.remove(player);
  }

  /** Puts the opponent of a player who has left their new game at the front of the queue again. */
  public void searchAgain(GameSession game, PubKey leaver) {
    Side side = game.sideOf(leaver).opponent();
    PubKey other = game.ref().player(side);
    if (context.bindings().isPresent(other)) {
      SearchTerms terms = new SearchTerms(game.game().control(), game.ref().rated() != null);
      EventId event = game.searches().get(side.index());
      queues.addFirst(search(other, event, terms, game.colourNotifications(side), leaver));
      Announcements announcements = context.announce();
      Dialect dialect = game.ref().dialect(side);
      announcements.notifyPlayer(other, dialect.searchResumed(other, context.now()));
      context.commits().send(announcements.outgoing());
      pairAll(terms);
    }
  }

  /** Restores a search that was removed for a game that could not begin. */
  void putBack(SearchQueues.@Nullable Search search) {
    if (search != null && context.bindings().isPresent(search.player())) {
      queues.addFirst(search.withoutAvoidance());
      pairAll(search.terms());
    }
  }

  /** Pairs the players of a queue until no two are left who may be paired. */
  private void pairAll(SearchTerms terms) {
    queues.players(terms).stream().filter(isRefused).forEach(this::endRefused);
    long now = context.now();
    for (var pair = queues.pair(terms, now); pair.isPresent(); pair = queues.pair(terms, now)) {
      start(pair.get());
    }
    OptionalLong retry = queues.nextRetry(terms, now);
    if (retry.isPresent()) {
      Duration wait = Duration.ofMillis(Math.max(1, retry.getAsLong() - now));
      context.schedule(new PairingKey(terms), wait, () -> pairAll(terms));
    }
  }

  /** Ends the search of a player whose events are refused by now: no opponent could play them. */
  private void endRefused(PubKey player) {
    SearchQueues.Search search = queues.remove(player);
    if (search != null) {
      Reason reason = WriteOutcome.BANNED.reason();
      announceFailure(player, search.colourNotifications(), List.of(), reason);
    }
  }

  private void start(SearchQueues.Pair pair) {
    Games.NewGame begun =
        new Games.NewGame(
            pair.first().entrant(),
            pair.second().entrant(),
            null,
            pair.first().terms().time(),
            Position.initial(),
            pair.first().terms().isRated(),
            true);
    games.begin(begun, this::settle);
  }

  private void settle(GameSession game, WriteOutcome outcome) {
    if (outcome != WriteOutcome.STORED) {
      for (Side side : Side.values()) {
        PubKey player = game.ref().player(side);
        List<Dialect> dialects = List.of(game.ref().dialect(side));
        announceFailure(player, game.colourNotifications(side), dialects, outcome.reason());
      }
    }
  }

  /**
   * Notifies a player that a search has led to no game.
   *
   * @param dialects in which the player is notified beside the colour notifications. Without these,
   *     the player may search in any dialect by now
   */
  private void announceFailure(
      PubKey player,
      ColourNotifications colourNotifications,
      List<Dialect> dialects,
      Reason reason) {
    Announcements announcements = context.announce();
    announcements.addAll(colourNotifications.refusals(reason));
    for (Dialect dialect : colourNotifications.isEmpty() ? context.dialects() : dialects) {
      announcements.notifyPlayer(player, dialect.notStarted(player, reason, context.now()));
    }
    context.commits().send(announcements.outgoing());
  }
}
