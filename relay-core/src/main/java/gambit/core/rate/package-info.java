/** Rate limits of clients: token buckets by address and by public key. The clock is an argument. */
@NullMarked
package gambit.core.rate;

import org.jspecify.annotations.NullMarked;
