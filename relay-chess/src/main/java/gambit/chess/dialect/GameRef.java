package gambit.chess.dialect;

import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.Collection;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is fixed when a game starts: its id and its two seats. Immutable.
 *
 * @param rated null if the game is casual
 */
public record GameRef(
    EventId id, Seat white, Seat black, boolean isSlow, @Nullable RatedStart rated) {

  /**
   * A player of a game.
   *
   * @param dialect of the player's notifications
   * @param level the strength at which the relay's own player plays the game; 0 for anybody else
   */
  public record Seat(PubKey player, Dialect dialect, int level) {
    public Seat(PubKey player, Dialect dialect) {
      this(player, dialect, 0);
    }
  }

  /**
   * Of a player's games, the one that an event without the name of a game is about: the live one,
   * or without one the only slow one. Null if there is none, or if there are several.
   */
  public static <T> @Nullable T unnamed(Collection<T> own, Predicate<T> isSlow) {
    Collection<T> live = own.stream().filter(isSlow.negate()).toList();
    Collection<T> possible = live.isEmpty() ? own : live;
    return possible.size() == 1 ? possible.iterator().next() : null;
  }

  public Seat seat(Side side) {
    return side == Side.WHITE ? white : black;
  }

  public PubKey player(Side side) {
    return seat(side).player();
  }

  public Dialect dialect(Side side) {
    return seat(side).dialect();
  }

  public boolean isPlayer(PubKey pubkey) {
    return pubkey.equals(white.player()) || pubkey.equals(black.player());
  }

  public Side sideOf(PubKey player) {
    return player.equals(white.player()) ? Side.WHITE : Side.BLACK;
  }
}
