package gambit.chess.game;

import gambit.chess.rules.Side;

/**
 * What one side has asked of the other, and is not answered yet; a game has one at most.
 *
 * <p>Immutable. The move of the side that was asked lets it lapse, the asker's own does not (FIDE
 * 9.1.2.1).
 *
 * @param by the side that asks
 */
public record Proposal(Kind kind, Side by) {

  public enum Kind {
    /** To agree to a draw. */
    DRAW,
    /** To let the asker take its last move back. */
    TAKEBACK
  }
}
