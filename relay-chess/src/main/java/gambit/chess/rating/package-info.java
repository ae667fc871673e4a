/**
 * Ratings by Glicko-2 that give the same bits everywhere, the chain of the rated games' records,
 * and the chains of hashes by which colours are drawn, so that the relay cannot choose them ({@code
 * docs/protocol/ratings.md}). Pure: no clock, store or network.
 */
@NullMarked
package gambit.chess.rating;

import org.jspecify.annotations.NullMarked;
