package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.game.OngoingGame;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The running games, by id and by player. Keeps the awaited moves, the announced games and the
 * presences consistent with them. Owned by the chess lane, except for {@link #of}, {@link #all},
 * {@link #size} and {@link #endCommitted}.
 */
public final class RunningGames {
  private final Map<EventId, GameSession> games = new ConcurrentHashMap<>();
  private final Map<PubKey, GamesOfPlayer> byPlayer = new ConcurrentHashMap<>();
  private final AnnouncedGames announced;
  private final AwaitedMoves awaited;
  private final GamePresences presences;

  public RunningGames(AwaitedMoves awaited, AnnouncedGames announced, GamePresences presences) {
    this.awaited = awaited;
    this.announced = announced;
    this.presences = presences;
  }

  AwaitedMoves awaited() {
    return awaited;
  }

  GamePresences presences() {
    return presences;
  }

  /** The running games of a player. Any thread. */
  GamesOfPlayer of(PubKey player) {
    return byPlayer.getOrDefault(player, GamesOfPlayer.NONE);
  }

  /** All games, as they are now. Any thread. */
  List<GameSession> all() {
    return List.copyOf(games.values());
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
    announced.gameStarted(ref);
    awaited.gameDecided(ref, game);
  }

  void add(GameSession game) {
    games.put(game.id(), game);
    game.players().forEach(player -> byPlayer.put(player, of(player).with(game)));
    announced.gameStarted(game.ref());
    presences.watchers().gameStarted(game.id());
    awaited.gameCommitted(game.ref(), game.game());
  }

  /** The end of a game is committed, and will be announced next. Any thread. */
  void endCommitted(GameRef game) {
    announced.gameEnded(game.id());
    awaited.gameEnded(game);
  }

  /** Removes a game, or one that could not begin. */
  void remove(GameSession game) {
    games.remove(game.id(), game);
    for (PubKey player : game.players()) {
      GamesOfPlayer rest = of(player).without(game);
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
