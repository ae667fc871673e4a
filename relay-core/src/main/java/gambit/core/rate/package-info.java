/**
 * How much a client may ask for: token buckets by address and by public key. Pure but for the clock
 * that it is given.
 */
@NullMarked
package gambit.core.rate;

import org.jspecify.annotations.NullMarked;
