package gambit.chess.dialect;

import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;

/**
 * Which game, who plays it, and in which dialect each of the two does, fixed when the game starts.
 * Immutable.
 */
public record GameRef(EventId id, Seat white, Seat black) {

  /** A player in a game, and how that player is spoken to. */
  public record Seat(PubKey player, Dialect dialect) {}

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
