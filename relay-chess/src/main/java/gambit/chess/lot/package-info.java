/**
 * Colours by lots that the relay cannot choose: chains of hashes ({@code
 * docs/protocol/ratings.md}). Pure: no clock, store or network.
 */
@NullMarked
package gambit.chess.lot;

import org.jspecify.annotations.NullMarked;
