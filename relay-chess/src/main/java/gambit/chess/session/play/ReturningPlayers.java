package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Side;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Sends players who return what they have missed: their running games, together with their {@link
 * MissedEndings}.
 *
 * <p>A login enables no numbered frames, and a client may log in before it subscribes. So after a
 * login, sending is tried again with each subscription of the connection, until it succeeds.
 *
 * <p>Owned by the chess lane; {@link #subscribed} may be called from any thread.
 */
public final class ReturningPlayers {
  /** The maximum of attempts to show a game to a connection whose subscriptions do not match it. */
  private static final int MAX_ATTEMPTS = 16;

  private final SessionContext context;
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

  private final UnconfirmedSends<ShownGame> shownGames = new UnconfirmedSends<>();

  private record ShownGame(PubKey player, ClientConnection connection, EventId game) {}

  /** The sends that wait for a commit, at most one for each player and connection. */
  private final Set<Waiting> waiting = new HashSet<>();

  private record Waiting(PubKey player, ClientConnection connection) {}

  public ReturningPlayers(SessionContext context, RunningGames running, MissedEndings endings) {
    this.context = context;
    this.running = running;
    this.endings = endings;
    endings.onSettled(player -> context.bindings().of(player).forEach(this::updateUnsent));
  }

  /** A connection has subscribed: what it could not get before is tried again. Any thread. */
  public void subscribed(ClientConnection connection) {
    if (unsent.contains(connection)) {
      context.lane().execute(() -> send(connection));
    }
  }

  /** A login has bound a connection to a player. */
  public void loggedIn(PubKey player, ClientConnection connection) {
    Set<PubKey> waitsFor = Set.of(player);
    if (!context.busyPlayers().awaitIfBusy(waitsFor, () -> loggedIn(player, connection))
        && context.bindings().isBound(player, connection)) {
      for (GameSession game : running.of(player)) {
        unshown
            .computeIfAbsent(connection, it -> new HashMap<>(2))
            .put(new ShownGame(player, connection, game.id()), MAX_ATTEMPTS);
      }
      send(player, connection);
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

  /**
   * Sends what a player has missed, before a connect of the player is answered.
   *
   * @param shown the games that the answer shows
   */
  public void connected(PubKey player, ClientConnection connection, List<GameSession> shown) {
    Set<EventId> ids = shown.stream().map(GameSession::id).collect(Collectors.toSet());
    removeUnshown(connection, it -> it.player().equals(player) && ids.contains(it.game()));
    send(player, connection);
  }

  /** A player has one connection more or fewer, perhaps by an event of any kind. */
  public void connectionsChanged(PubKey player) {
    if (!endings.isEmpty(player)) {
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
    return !endings.isEmpty(player) || isAnyUnshown(player, connection);
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
    endings.expire();
    updateUnsent(connection); // first, since the connection may subscribe meanwhile
    Announcements announcements = context.announce();
    endings.send(player, announcements);
    show(player, connection, announcements);
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

  /** Shows a player those running games that must still be shown after a login. */
  private void show(PubKey player, ClientConnection connection, Announcements announcements) {
    Map<ShownGame, Integer> own = unshown.getOrDefault(connection, Map.of());
    for (GameSession game : running.of(player)) {
      ShownGame shown = new ShownGame(player, connection, game.id());
      if (own.containsKey(shown) && shownGames.begin(shown, () -> send(player, connection))) {
        own.computeIfPresent(shown, (same, left) -> left > 1 ? left - 1 : null);
        Dialect dialect = game.ref().dialect(game.sideOf(player));
        Consumer<Boolean> settled = isSent -> context.lane().execute(() -> shown(shown, isSent));
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
}
