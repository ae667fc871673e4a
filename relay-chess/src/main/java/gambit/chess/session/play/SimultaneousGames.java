package gambit.chess.session.play;

import gambit.core.model.PubKey;
import java.util.Set;

/**
 * The players who may have any games at once up to a maximum, live ones too; everybody else has one
 * live game beside the {@linkplain ChessSettings#slowGames slow ones}. Such players find opponents
 * by invites only, never in the queue.
 *
 * @param players such as the house player
 * @param max the maximum of games of each of them at a time, up to {@value #LIMIT}
 * @param maxFromAddress the maximum of these with inviters at one address; games in which a move
 *     may take hours are counted separately
 * @param usualLevel the strength of these players in a game whose invite requests none; 0 for
 *     players without levels
 */
public record SimultaneousGames(Set<PubKey> players, int max, int maxFromAddress, int usualLevel) {
  public static final int LIMIT = 200;
  public static final SimultaneousGames NONE = new SimultaneousGames(Set.of(), 1);

  public SimultaneousGames {
    if (max < 1 || max > LIMIT) {
      throw new IllegalArgumentException("max_games must be between 1 and " + LIMIT);
    }
    players = Set.copyOf(players);
  }

  /** Players whose inviters may all be at one address. */
  public SimultaneousGames(Set<PubKey> players, int max) {
    this(players, max, max, 0);
  }

  public boolean includes(PubKey player) {
    return players.contains(player);
  }

  /** The strength of the player of a game whose invite requests a level, or none (0). */
  public int levelOf(PubKey player, int requested) {
    return !includes(player) ? 0 : requested > 0 ? requested : usualLevel;
  }
}
