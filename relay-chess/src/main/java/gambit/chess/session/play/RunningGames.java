package gambit.chess.session.play;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The running games, by id and by player. Keeps the known games, the awaited moves and the
 * presences consistent with them. Owned by the chess lane, except for {@link #of}, {@link #all} and
 * {@link #size}.
 */
public final class RunningGames {
  private final Map<EventId, GameSession> games = new ConcurrentHashMap<>();
  private final Map<PubKey, List<GameSession>> byPlayer = new ConcurrentHashMap<>();
  private final KnownGames known;
  private final Presences presences;

  public RunningGames(KnownGames known, Presences presences) {
    this.known = known;
    this.presences = presences;
  }

  KnownGames known() {
    return known;
  }

  Presences presences() {
    return presences;
  }

  /** The running games of a player, the oldest first. Immutable. Any thread. */
  List<GameSession> of(PubKey player) {
    return byPlayer.getOrDefault(player, List.of());
  }

  /** All games, as they are now. Any thread. */
  List<GameSession> all() {
    return List.copyOf(games.values());
  }

  int size() {
    return games.size();
  }

  int playerCount() {
    return byPlayer.size();
  }

  boolean contains(GameSession game) {
    return games.get(game.id()) == game;
  }

  void add(GameSession game) {
    games.put(game.id(), game);
    game.players().forEach(player -> byPlayer.put(player, with(of(player), game)));
    known.gameStarted(game.ref());
    known.awaited().gameCommitted(game.ref(), game.game());
    game.players().forEach(presences::changed);
  }

  /** Removes a game, or one that could not begin. */
  void remove(GameSession game) {
    boolean wasRunning = games.remove(game.id(), game);
    for (PubKey player : game.players()) {
      byPlayer.computeIfPresent(
          player, (same, own) -> own.size() == 1 && own.contains(game) ? null : without(own, game));
    }
    known.gameEnded(game.id());
    presences.gameEnded(game.id(), wasRunning);
    game.players().forEach(presences::changed);
  }

  static List<GameSession> with(List<GameSession> games, GameSession game) {
    return games.contains(game) ? games : Stream.concat(games.stream(), Stream.of(game)).toList();
  }

  static List<GameSession> without(List<GameSession> games, GameSession game) {
    return games.stream().filter(it -> it != game).toList();
  }
}
