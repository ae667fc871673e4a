package gambit.chess.game;

import gambit.chess.rules.Side;

/**
 * A draw offer or takeback request that is not answered yet; a game has at most one.
 *
 * <p>Immutable. It lapses when the opponent moves, but not when its own side does (FIDE 9.1.2.1).
 *
 * @param by the side that has made it
 */
public record Proposal(ProposalType type, Side by) {}
