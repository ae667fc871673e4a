package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.game.OngoingGame;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The running games, by id and by player. Keeps the awaited moves, the comment guard and the
 * presences consistent with them. Owned by the chess lane, except for {@link #of}, {@link
 * #isPlaying}, {@link #announcedOf}, {@link #isAnyAnnounced}, {@link #size} and {@link
 * #endCommitted}.
 */
final class RunningGames {
  private final Map<EventId, GameSession> games = new ConcurrentHashMap<>();
  private final Map<PubKey, PlayerGames> byPlayer = new ConcurrentHashMap<>();
  private final BusyPlayers busyPlayers = new BusyPlayers();
  private final AwaitedMoves awaited;
  private final SpectatorCommentGuard commentGuard;
  private final GamePresences presences;

  RunningGames(AwaitedMoves awaited, SpectatorCommentGuard commentGuard, GamePresences presences) {
    this.awaited = awaited;
    this.commentGuard = commentGuard;
    this.presences = presences;
  }

  AwaitedMoves awaited() {
    return awaited;
  }

  GamePresences presences() {
    return presences;
  }

  /** The running games of a player. Any thread. */
  PlayerGames of(PubKey player) {
    return byPlayer.getOrDefault(player, PlayerGames.NONE);
  }

  /** Whether a player has a running game, or one that is being committed. Any thread. */
  boolean isPlaying(PubKey player) {
    return busyPlayers.contains(player);
  }

  /** The games of a player that clients know, from before they are announced. Any thread. */
  Set<GameRef> announcedOf(PubKey player) {
    return busyPlayers.of(player);
  }

  /** Whether a player has a game that {@link #announcedOf} knows. Any thread. */
  boolean isAnyAnnounced() {
    return !busyPlayers.isEmpty();
  }

  /** The number of games. Any thread. */
  int size() {
    return games.size();
  }

  boolean contains(GameSession game) {
    return games.get(game.id()) == game;
  }

  /** A game is about to be committed, before its players learn of it. */
  void begin(GameRef ref, OngoingGame game) {
    busyPlayers.gameStarted(ref);
    commentGuard.gameStarted(ref);
    awaited.gameDecided(ref, game);
  }

  void add(GameSession game) {
    games.put(game.id(), game);
    game.players().forEach(player -> byPlayer.put(player, of(player).with(game)));
    busyPlayers.gameStarted(game.ref());
    commentGuard.gameStarted(game.ref());
    presences.watchers().gameStarted(game.id());
    awaited.gameCommitted(game.ref(), game.game());
  }

  /** The end of a game is committed, and will be announced next. Any thread. */
  void endCommitted(GameRef game) {
    busyPlayers.gameEnded(game);
    commentGuard.gameEnded(game.id());
    awaited.gameEnded(game);
  }

  /** Removes a game, or one that could not begin. */
  void remove(GameSession game) {
    games.remove(game.id(), game);
    for (PubKey player : game.players()) {
      PlayerGames rest = of(player).without(game);
      if (rest.isEmpty()) {
        byPlayer.remove(player);
      } else {
        byPlayer.put(player, rest);
      }
    }
    endCommitted(game.ref());
    presences.gameEnded(game.id());
  }
}
