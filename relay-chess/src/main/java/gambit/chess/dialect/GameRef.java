package gambit.chess.dialect;

import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;

/** A game's id and its two seats, which are fixed when the game starts. Immutable. */
public record GameRef(EventId id, Seat white, Seat black) {

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

  /** The side of one of the two players. */
  public Side sideOf(PubKey player) {
    return player.equals(white.player()) ? Side.WHITE : Side.BLACK;
  }
}
