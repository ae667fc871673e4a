/**
 * Ratings by Glicko-2 that give the same bits everywhere, and the chain of the rated games' records
 * ({@code docs/protocol/ratings.md}). Pure: no clock, store or network.
 */
@NullMarked
package gambit.chess.rating;

import org.jspecify.annotations.NullMarked;
