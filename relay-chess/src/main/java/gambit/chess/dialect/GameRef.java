package gambit.chess.dialect;

import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;

/** Which game, and who plays it. Immutable. */
public record GameRef(EventId id, PubKey white, PubKey black) {

  public PubKey player(Side side) {
    return side == Side.WHITE ? white : black;
  }

  /** The side of one of the two players. */
  public Side sideOf(PubKey player) {
    return player.equals(white) ? Side.WHITE : Side.BLACK;
  }
}
