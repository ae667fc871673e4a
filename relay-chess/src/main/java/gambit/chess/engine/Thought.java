package gambit.chess.engine;

import gambit.chess.rules.Move;

/**
 * The result of a search.
 *
 * @param move a legal move
 * @param score the value of the best move for the side to move, in hundredths of a pawn
 * @param depth the number of plies of the last complete iteration; 0 if there was none
 * @param nodes the number of positions searched
 */
public record Thought(Move move, int score, int depth, long nodes) {}
