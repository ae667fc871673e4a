package gambit.chess.session.play;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The running games, by id and by player. Keeps the awaited moves, the comment guard and the
 * presences consistent with them. Owned by the chess lane, except for {@link #of} and {@link
 * #size}.
 */
final class RunningGames {
  private final Map<EventId, GameSession> games = new ConcurrentHashMap<>();
  private final Map<PubKey, PlayerGames> byPlayer = new ConcurrentHashMap<>();
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

  SpectatorCommentGuard commentGuard() {
    return commentGuard;
  }

  GamePresences presences() {
    return presences;
  }

  /** The running games of a player. Any thread. */
  PlayerGames of(PubKey player) {
    return byPlayer.getOrDefault(player, PlayerGames.NONE);
  }

  /** The number of games. Any thread. */
  int size() {
    return games.size();
  }

  boolean contains(GameSession game) {
    return games.get(game.id()) == game;
  }

  void add(GameSession game) {
    games.put(game.id(), game);
    game.players().forEach(player -> byPlayer.put(player, of(player).with(game)));
    commentGuard.gameStarted(game.ref());
    presences.watchers().gameStarted(game.id());
    awaited.gameCommitted(game.ref(), game.game());
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
    commentGuard.gameEnded(game.id());
    presences.gameEnded(game.id());
    awaited.gameEnded(game.ref());
  }
}
