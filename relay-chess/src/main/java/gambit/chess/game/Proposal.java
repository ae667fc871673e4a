package gambit.chess.game;

import gambit.chess.rules.Side;

/**
 * A draw offer or takeback request that is not answered yet; a game has at most one. It lapses when
 * the opponent moves, but not when its own side does (FIDE 9.1.2.1). Immutable.
 */
public record Proposal(Type type, Side by) {
  public enum Type {
    DRAW,
    TAKEBACK
  }
}
