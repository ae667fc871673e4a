package gambit.chess.session.play;

import gambit.chess.rules.Side;
import gambit.core.model.PubKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The games that run, by player, with the moves that are awaited in them and the comments that are
 * kept from their players. The chess lane's only, but for {@link #of} and {@link #size}.
 */
final class RunningGames {
  private final Map<PubKey, GameSession> games = new ConcurrentHashMap<>();
  private final AwaitedMoves awaited;
  private final SpectatorsWall wall;

  RunningGames(AwaitedMoves awaited, SpectatorsWall wall) {
    this.awaited = awaited;
    this.wall = wall;
  }

  AwaitedMoves awaited() {
    return awaited;
  }

  SpectatorsWall wall() {
    return wall;
  }

  /** The game that a player plays. Any thread. */
  @Nullable GameSession of(PubKey player) {
    return games.get(player);
  }

  /** The number of games. Any thread. */
  int size() {
    return games.size() / 2;
  }

  boolean contains(GameSession game) {
    return games.get(game.ref().white().player()) == game;
  }

  void add(GameSession game) {
    game.players().forEach(player -> games.put(player, game));
    wall.begins(game.ref());
    awaited.settled(game.ref(), game.game());
  }

  /** Removes a game, also one that could not begin. */
  void remove(GameSession game) {
    for (Side side : Side.values()) {
      games.remove(game.ref().player(side), game);
    }
    wall.ends(game.id());
    awaited.ended(game.ref());
  }
}
