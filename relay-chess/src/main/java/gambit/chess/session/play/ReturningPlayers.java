package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.SubscriptionListener;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sends players who return what they have missed: their running games, and the endings that are not
 * known to have reached them. If an unbound connection subscribes to a player of a running game, it
 * is asked to log in.
 *
 * <p>A login enables no numbered frames, and a client may log in before it subscribes. So after a
 * login, sending is tried again with each subscription of the connection, until it succeeds.
 *
 * <p>Owned by the chess lane; {@link #subscribed} may be called from any thread.
 */
public final class ReturningPlayers implements SubscriptionListener {
  /** The time after which a removal of rows that could not be committed is tried again. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  /** The maximum of attempts to show a game to a connection whose subscriptions do not match it. */
  private static final int MAX_ATTEMPTS = 16;

  /** The maximum of rows that one commit removes. */
  private static final int MAX_REMOVED_ROWS = 500;

  private final SessionContext context;
  private final KnownGames known;
  private final RunningGames running;
  private final MissedEndings endings;

  /** The connections on which something must still be sent. Read by any thread. */
  private final Set<ClientConnection> unsent = ConcurrentHashMap.newKeySet();

  /**
   * By connection: the running games that must still be shown to its players after a login, and the
   * remaining attempts. A game that has ended meanwhile stays until the connection closes, so the
   * entries are bounded by the games that ran when its players logged in.
   */
  private final Map<ClientConnection, Map<ShownGame, Integer>> unshown = new HashMap<>();

  private final UnconfirmedSends<MissedEnding> sentEndings = new UnconfirmedSends<>();
  private final UnconfirmedSends<ShownGame> shownGames = new UnconfirmedSends<>();

  /** The rows that must be removed and that no pending commit removes. */
  private final List<Row> obsolete = new ArrayList<>();

  private record ShownGame(PubKey player, ClientConnection connection, EventId game) {}

  /** The sends that wait for a commit, at most one for each player and connection. */
  private final Set<Waiting> waiting = new HashSet<>();

  private record Waiting(PubKey player, ClientConnection connection) {}

  private record RemovalKey() {}

  public ReturningPlayers(
      SessionContext context, KnownGames known, RunningGames running, MissedEndings endings) {
    this.context = context;
    this.known = known;
    this.running = running;
    this.endings = endings;
  }

  public void recover(Map<String, byte[]> rows) {
    endings.recover(rows);
    expire();
  }

  // ---- logins and subscriptions

  @Override
  public void subscribed(ClientConnection connection, List<Filter> filters) {
    if (connection.keys().isEmpty() && !known.isEmpty() && concernsOthers(filters, connection)) {
      connection.requestLogin();
    }
    if (unsent.contains(connection)) {
      context.lane().execute(() -> send(connection));
    }
  }

  /** Whether a filter names a player of games to none of whose players the connection is bound. */
  private boolean concernsOthers(List<Filter> filters, ClientConnection connection) {
    return filters.stream()
        .flatMap(KnownGames::named)
        .anyMatch(key -> concernsOthers(key, connection));
  }

  private boolean concernsOthers(PubKey key, ClientConnection connection) {
    Set<GameRef> own = known.of(key);
    return !own.isEmpty() && own.stream().noneMatch(game -> isBoundIn(game, connection));
  }

  private boolean isBoundIn(GameRef game, ClientConnection connection) {
    return context.bindings().isBound(game.white().player(), connection)
        || context.bindings().isBound(game.black().player(), connection);
  }

  /** A login has bound a connection to a player. */
  public void loggedIn(PubKey player, ClientConnection connection) {
    Set<PubKey> waitsFor = Set.of(player);
    if (!context.busyPlayers().awaitIfBusy(waitsFor, () -> loggedIn(player, connection))
        && context.bindings().isBound(player, connection)) {
      addUnshown(player, connection, running.of(player));
      send(player, connection);
    }
  }

  private void addUnshown(PubKey player, ClientConnection connection, List<GameSession> games) {
    for (GameSession game : games) {
      unshown
          .computeIfAbsent(connection, it -> new HashMap<>(2))
          .put(new ShownGame(player, connection, game.id()), MAX_ATTEMPTS);
    }
  }

  private void removeUnshown(ClientConnection connection, Predicate<ShownGame> isGone) {
    unshown.computeIfPresent(
        connection,
        (same, games) -> {
          games.keySet().removeIf(isGone);
          return games.isEmpty() ? null : games;
        });
  }

  private boolean isAnyUnshown(PubKey player, ClientConnection connection) {
    Map<ShownGame, Integer> own = unshown.getOrDefault(connection, Map.of());
    return running.of(player).stream()
        .anyMatch(game -> own.containsKey(new ShownGame(player, connection, game.id())));
  }

  /** Sends what a player has missed, before a connect of the player is answered. */
  public void connected(PubKey player, ClientConnection connection) {
    removeUnshown(connection, it -> it.player().equals(player)); // the answer shows the games
    send(player, connection);
  }

  /** A player has one connection more or fewer, perhaps by an event of any kind. */
  public void connectionsChanged(PubKey player) {
    if (!endings.of(player).isEmpty()) {
      context.lane().execute(() -> sendOnAll(player)); // after what has bound it
    }
  }

  private void sendOnAll(PubKey player) {
    Set.copyOf(context.bindings().of(player)).forEach(connection -> send(player, connection));
  }

  public void forget(ClientConnection connection) {
    unsent.remove(connection);
    unshown.remove(connection);
  }

  private void send(ClientConnection connection) {
    for (PubKey player : context.bindings().playersOf(connection)) {
      if (isOwed(player, connection)) {
        send(player, connection);
      }
    }
  }

  /** Whether something must still be sent to a player over a connection. */
  private boolean isOwed(PubKey player, ClientConnection connection) {
    return !endings.of(player).isEmpty() || isAnyUnshown(player, connection);
  }

  /**
   * Sends what a player has missed; it stays unsent until a send is confirmed. While a step of the
   * player's games is being committed, it waits, since the step may be shown before this output.
   */
  private void send(PubKey player, ClientConnection connection) {
    if (context.busyPlayers().contains(player)) {
      if (waiting.add(new Waiting(player, connection))) {
        context.busyPlayers().await(player, () -> sendAfterCommit(player, connection));
      }
      return;
    }
    expire();
    updateUnsent(connection); // first, since the connection may subscribe meanwhile
    Announcements announcements = context.announce();
    endings.of(player).forEach(ending -> send(ending, announcements));
    show(player, connection, announcements);
    context.commits().send(announcements.outgoing());
  }

  /** Sends an ending on all connections of its player, on none of which it was queued. */
  private void send(MissedEnding ending, Announcements announcements) {
    if (sentEndings.begin(ending, () -> send(ending))) {
      announcements.notifyPlayer(
          ending.player(),
          context.bindings().of(ending.player()),
          ending.notice(),
          onLane(isSent -> settle(ending, isSent)));
    }
  }

  private void send(MissedEnding ending) {
    Announcements announcements = context.announce();
    send(ending, announcements);
    context.commits().send(announcements.outgoing());
  }

  private void sendAfterCommit(PubKey player, ClientConnection connection) {
    waiting.remove(new Waiting(player, connection));
    send(player, connection);
  }

  /** Updates whether something must still be sent to a player over a connection. */
  private void updateUnsent(ClientConnection connection) {
    boolean isOwed =
        context.bindings().playersOf(connection).stream().anyMatch(it -> isOwed(it, connection));
    if (isOwed) {
      unsent.add(connection);
    } else {
      unsent.remove(connection);
    }
  }

  // ---- the running games

  /** Shows a player those running games that must still be shown after a login. */
  private void show(PubKey player, ClientConnection connection, Announcements announcements) {
    Map<ShownGame, Integer> own = unshown.getOrDefault(connection, Map.of());
    for (GameSession game : running.of(player)) {
      ShownGame shown = new ShownGame(player, connection, game.id());
      if (own.containsKey(shown) && shownGames.begin(shown, () -> send(player, connection))) {
        own.computeIfPresent(shown, (same, left) -> left > 1 ? left - 1 : null);
        Dialect dialect = game.ref().dialect(game.sideOf(player));
        Consumer<Boolean> settled = onLane(isSent -> shown(shown, isSent));
        show(player, connection, dialect, game, announcements, settled);
        showProposal(player, connection, dialect, game, announcements);
      }
    }
  }

  private void shown(ShownGame game, boolean isSent) {
    if (isSent) {
      removeUnshown(game.connection(), game::equals);
    }
    updateUnsent(game.connection());
    shownGames.end(game, isSent);
  }

  /** Shows a player the current state of the game on one connection, in some dialect. */
  public void show(
      PubKey player,
      ClientConnection connection,
      Dialect dialect,
      GameSession game,
      Announcements announcements,
      Consumer<Boolean> whetherSent) {
    GameRef ref = game.ref();
    Side side = game.sideOf(player);
    for (Notification notice : dialect.started(ref, side, context.now())) {
      announcements.notifyPlayer(player, Set.of(connection), framed(notice, ref, side));
    }
    Notification shown = dialect.shown(ref, game.game(), side, context.now());
    announcements.notifyPlayer(player, Set.of(connection), framed(shown, ref, side), whetherSent);
  }

  /** Shows a player the opponent's open proposal, if there is one. */
  public void showProposal(
      PubKey player,
      ClientConnection connection,
      Dialect dialect,
      GameSession game,
      Announcements announcements) {
    GameRef ref = game.ref();
    Side side = game.sideOf(player);
    Proposal proposal = game.game().proposal();
    if (proposal != null && proposal.by() != side) {
      boolean published = ref.dialect(proposal.by()) == dialect;
      for (Notification notice : dialect.proposed(ref, proposal.type(), published, context.now())) {
        announcements.notifyPlayer(player, Set.of(connection), framed(notice, ref, side));
      }
    }
  }

  /** Numbered frames depend on the dialect of the player's seat, not on the notification's. */
  private static Notification framed(Notification notice, GameRef game, Side side) {
    return game.dialect(side).hasNumberedFrames() ? notice : notice.unnumbered();
  }

  /** Asks the connections for a login that subscribe to a game with an absent player. */
  public void requestLogins(PubKey player, GameSession game) {
    Side side = game.sideOf(player);
    Notification shown =
        game.ref().dialect(side).shown(game.ref(), game.game(), side, context.now());
    context.commits().send(List.of(new Outgoing.SubscriptionCheck(shown.event())));
  }

  private Consumer<Boolean> onLane(Consumer<Boolean> then) {
    return result -> context.lane().execute(() -> then.accept(result));
  }

  // ---- missed endings

  /** Keeps the committed ending of a game until it is queued on a connection of its player. */
  public void endingCommitted(MissedEnding ending) {
    expire();
    remove(endings.add(ending));
    sentEndings.begin(ending, () -> {});
  }

  /**
   * Whether the frame with the ending of a game was queued on any open connection of its player. If
   * not, it is sent once more, since the player may have subscribed meanwhile. Any thread.
   */
  public void endingSent(MissedEnding ending, boolean isSent) {
    context.lane().execute(() -> endingSentNow(ending, isSent));
  }

  private void endingSentNow(MissedEnding ending, boolean isSent) {
    PubKey player = ending.player();
    Set<PubKey> waitsFor = Set.of(player); // with the commit of the ending, until it is settled
    if (context.busyPlayers().awaitIfBusy(waitsFor, () -> endingSentNow(ending, isSent))) {
      return;
    }
    settle(ending, isSent);
    if (!isSent && context.bindings().isPresent(player)) {
      send(ending);
    }
  }

  private void settle(MissedEnding ending, boolean isSent) {
    if (isSent && endings.remove(ending)) {
      remove(List.of(ending));
    }
    PubKey player = ending.player();
    context.bindings().of(player).forEach(this::updateUnsent);
    sentEndings.end(ending, isSent);
  }

  private void expire() {
    remove(endings.expire(context.now()));
  }

  private void remove(List<MissedEnding> gone) {
    gone.forEach(ending -> obsolete.add(ending.removal()));
    commitRemovals();
  }

  /** Removes obsolete rows; after a failure, it tries again later. */
  private void commitRemovals() {
    while (!obsolete.isEmpty()) {
      List<Row> part = obsolete.subList(0, Math.min(MAX_REMOVED_ROWS, obsolete.size()));
      List<Row> rows = List.copyOf(part);
      part.clear();
      Announcements removals = context.announce();
      removals.addRows(rows);
      context
          .commits()
          .store(
              List.of(),
              removals,
              outcome -> List.of(),
              outcome -> {
                if (outcome != WriteOutcome.STORED) {
                  obsolete.addAll(rows);
                  context.schedule(new RemovalKey(), RETRY_DELAY, this::commitRemovals);
                }
              });
    }
  }
}
