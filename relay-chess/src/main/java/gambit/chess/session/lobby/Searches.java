package gambit.chess.session.lobby;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.Request;
import gambit.chess.game.TimeControl;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.GamesOfPlayer;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches for any opponent: players wait in queues and are paired. A granted request takes effect
 * once it is committed. Owned by the chess lane.
 */
public final class Searches {
  /** The time in which two players are not paired again after one of them has left their game. */
  private static final Duration KEPT_APART = Duration.ofSeconds(10);

  private final SessionContext context;
  private final Games games;
  private final ReturningPlayers returning;
  private final LobbyCommits commits;
  private final SearchQueues queues = new SearchQueues();
  private final SearchNotes notes;
  private final EndedSearches ended;
  private final Pairing pairing;

  private final RestoredSearches restored;

  public Searches(
      SessionContext context,
      Games games,
      ReturningPlayers returning,
      Predicate<PubKey> isRefused,
      GameFactory factory) {
    this.context = context;
    this.games = games;
    this.returning = returning;
    this.commits = new LobbyCommits(context);
    this.notes = new SearchNotes(context);
    this.ended = new EndedSearches(context, queues);
    this.pairing = new Pairing(context, games, isRefused, factory, queues, notes, ended);
    this.restored = new RestoredSearches(context, games, queues, notes, ended, pairing);
  }

  /** The players who search. */
  public SearchQueues queues() {
    return queues;
  }

  /** The number of players who search. */
  public int size() {
    return queues.size();
  }

  /** Whether a player searches. */
  public boolean contains(PubKey player) {
    return queues.contains(player);
  }

  /**
   * Whether a connect with these colour notifications has led to the player's search or running
   * game.
   */
  public boolean isCurrent(PubKey player, ColourNotifications notifications) {
    return queues.colourNotificationsOf(player) == notifications
        || games.of(player).all().stream()
            .anyMatch(game -> game.colourNotifications(game.sideOf(player)) == notifications);
  }

  /**
   * Begins a search, or resumes the player's running games. A player who may have several games at
   * once never searches.
   */
  public void connect(PlayerRequest request, Request.Connect connect) {
    TimeControl time = connect.time() == null ? context.settings().defaultTime() : connect.time();
    if (!context.bind(request)) {
      return;
    }
    PubKey player = request.player();
    returning.connected(player, request.submission().connection());
    boolean mayQueue = !context.settings().simultaneousGames().includes(player);
    GamesOfPlayer shown = games.of(player);
    Announcements announcements = context.announce();
    SearchQueues.@Nullable Search search =
        mayQueue && shown.isEmpty() ? search(request, time) : null;
    if (search != null) {
      boolean already = queues.contains(player);
      announcements.addAll(notes.changes(player, search));
      announcements.reply(
          request.submission(),
          request.dialect().searching(request.event(), already, context.now()));
    } else {
      announcements.reply(
          request.submission(), request.dialect().granted(request.event(), List.of()));
      resume(request, shown, announcements);
    }
    commits.commit(
        request,
        List.of(),
        announcements,
        mayQueue,
        () -> {
          if (mayQueue) { // a game may be about to begin, so this waits for its commit
            context
                .busyPlayers()
                .awaitFirst(
                    player,
                    () ->
                        context.seen().accepted(request.id(), begin(request, time, search, shown)));
          } else {
            context.seen().accepted(request.id(), null);
          }
        },
        () -> notes.update(player, queues.of(player)));
  }

  /** The player's search once a connect is committed: the present one, or one that begins. */
  private SearchQueues.Search search(PlayerRequest request, TimeControl time) {
    SearchQueues.Search present = queues.of(request.player());
    if (present == null) {
      return queues.last(time, request.colourNotifications(), context.now());
    } else if (!request.dialect().has(Trait.CONFIRMS_COLOURS)) {
      return present;
    }
    return present.with(
        present
            .colourNotifications()
            .with(request.submission().connection(), request.id(), request.dialect()));
  }

  /**
   * Shows the running games on the connection that has sent a connect. The colour is notified of if
   * there is one game.
   */
  private void resume(PlayerRequest request, GamesOfPlayer shown, Announcements announcements) {
    PubKey player = request.player();
    ClientConnection here = request.submission().connection();
    for (GameSession game : shown.all()) {
      returning.show(player, here, request.dialect(), game, announcements);
      if (shown.size() == 1) {
        announcements.notifyOfColour(request.colourNotifications(), game.sideOf(player));
      }
      returning.showProposal(player, here, request.dialect(), game, announcements);
    }
  }

  /**
   * Adds the player to a queue, unless a game has begun since the connect arrived; returns the
   * colour notifications of the search or of that game.
   *
   * @param search the search as it was noted with the commit; null if a game was shown
   * @param shown the games that the connect was answered with, which may have ended since
   */
  private ColourNotifications begin(
      PlayerRequest request,
      TimeControl time,
      SearchQueues.@Nullable Search search,
      GamesOfPlayer shown) {
    PubKey player = request.player();
    GamesOfPlayer running = shown.isEmpty() ? games.of(player) : shown;
    if (search == null || !running.isEmpty()) {
      if (shown.isEmpty()) {
        Announcements announcements = context.announce();
        resume(request, running, announcements);
        announcements.addAll(notes.changes(player, null));
        context.commits().send(announcements.outgoing());
      }
      GameSession game = running.all().get(0);
      return game.colourNotifications(game.sideOf(player));
    }
    SearchQueues.Search present = queues.of(player);
    ColourNotifications colourNotifications =
        present == null ? request.colourNotifications() : present.colourNotifications();
    if (present == null && context.bindings().isPresent(player)) {
      queues.add(player, new SearchQueues.Search(time, colourNotifications, search.place()));
    } else if (present != null && request.dialect().has(Trait.CONFIRMS_COLOURS)) {
      colourNotifications.add(request.submission().connection(), request.id(), request.dialect());
    }
    notes.update(player, queues.of(player));
    pairing.pairAll(time);
    return colourNotifications;
  }

  /**
   * Ends the player's search, or aborts the game that it has just led to.
   *
   * @param game the player's game, if there is one
   */
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
    boolean isSearching = contains(request.player());
    if (isSearching) {
      leaveQueue(request);
    }
    return isSearching;
  }

  private void leaveQueue(PlayerRequest request) {
    if (!context.bind(request)) {
      return;
    }
    Announcements announcements = commits.granted(request);
    SearchQueues.Search search = takeOut(request.player(), announcements);
    commits.commit(
        request,
        List.of(),
        announcements,
        false,
        () -> context.seen().accepted(request.id(), null),
        () -> putBack(request.player(), search));
  }

  /** Ends the search of a player whose last connection was closed. */
  public void playerDisconnected(PubKey player) {
    queues.remove(player);
  }

  /** A player who is present has one connection more or fewer: the search is noted on each. */
  public void connectionsChanged(PubKey player) {
    if (queues.contains(player)) {
      notes.update(player, queues.of(player));
    }
  }

  /**
   * Removes a player's search without an answer; returns it, or null if there was none.
   *
   * @param announcements of the commit that ends the search
   */
  SearchQueues.@Nullable Search takeOut(PubKey player, Announcements announcements) {
    SearchQueues.Search search = queues.remove(player);
    ended.ended(player);
    announcements.addAll(notes.changes(player, null));
    return search;
  }

  /**
   * Notes that the opponent of a player who leaves their new game will search again, with the
   * commit that ends the game.
   */
  public void noteNextSearch(GameSession game, PubKey leaver, Announcements announcements) {
    PubKey other = game.opponentOf(leaver);
    announcements.addAll(notes.changes(other, nextSearch(game, other)));
  }

  private SearchQueues.Search nextSearch(GameSession game, PubKey player) {
    return queues.first(game.game().control(), game.colourNotifications(game.sideOf(player)));
  }

  /** Puts the opponent of a player who has left their new game at the front of the queue again. */
  public void searchAgain(GameSession game, PubKey leaver) {
    PubKey other = game.opponentOf(leaver);
    if (context.bindings().isPresent(other)) {
      SearchQueues.Search search = nextSearch(game, other);
      ended.resumed(other);
      queues.addFirst(other, search, leaver, context.now() + KEPT_APART.toMillis());
      notes.update(other, queues.of(other));
      Announcements announcements = context.announce();
      Dialect dialect = game.ref().dialect(game.sideOf(other));
      announcements.notifyPlayer(other, dialect.searchResumed(other, context.now()));
      context.commits().send(announcements.outgoing());
      pairing.pairAll(search.time());
    }
  }

  /** Restores a search that was removed for a game that could not begin. */
  void putBack(PubKey player, SearchQueues.@Nullable Search search) {
    if (search != null && context.bindings().isPresent(player)) {
      ended.resumed(player);
      queues.addFirst(player, queues.first(search.time(), search.colourNotifications()), player, 0);
      notes.update(player, queues.of(player));
      pairing.pairAll(search.time());
    }
  }

  /** Continues the searches that the earlier leader of a cluster has noted. */
  public RestoredSearches restored() {
    return restored;
  }
}
