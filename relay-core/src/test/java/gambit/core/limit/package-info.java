/** Tests of limits and of the counters that enforce them. */
@NullMarked
package gambit.core.limit;

import org.jspecify.annotations.NullMarked;
