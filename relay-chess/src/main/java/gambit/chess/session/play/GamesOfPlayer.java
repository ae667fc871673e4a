package gambit.chess.session.play;

import gambit.core.model.EventId;
import gambit.core.model.Hex;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The running games of one player, the oldest first: none, one, or several if the settings allow
 * it. Immutable.
 */
public final class GamesOfPlayer {
  static final GamesOfPlayer NONE = new GamesOfPlayer(List.of());

  private final List<GameSession> games; // usually one

  private GamesOfPlayer(List<GameSession> games) {
    this.games = games;
  }

  /** All of them. */
  public List<GameSession> all() {
    return games;
  }

  public boolean isEmpty() {
    return games.isEmpty();
  }

  public int size() {
    return games.size();
  }

  /**
   * The game that an event of the player is about, or null if there is none.
   *
   * @param named the game that the event names, in hex; an event that names none is about the only
   *     game
   */
  public @Nullable GameSession about(Optional<String> named) {
    if (named.isEmpty()) {
      return games.size() == 1 ? games.get(0) : null;
    }
    if (games.isEmpty() || !Hex.isLowerCase(named.get(), 64)) {
      return null;
    }
    EventId id = EventId.ofHex(named.get());
    return games.stream().filter(game -> game.id().equals(id)).findAny().orElse(null);
  }

  GamesOfPlayer with(GameSession game) {
    return games.contains(game)
        ? this
        : new GamesOfPlayer(Stream.concat(games.stream(), Stream.of(game)).toList());
  }

  GamesOfPlayer without(GameSession game) {
    List<GameSession> rest = games.stream().filter(it -> it != game).toList();
    return rest.isEmpty() ? NONE : new GamesOfPlayer(rest);
  }
}
