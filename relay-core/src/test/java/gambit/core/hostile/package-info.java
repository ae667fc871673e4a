/**
 * Clients that send or request too much, or read too little: each is bounded, and the others are
 * served meanwhile.
 */
@NullMarked
package gambit.core.hostile;

import org.jspecify.annotations.NullMarked;
