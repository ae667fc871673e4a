/** Limits on what clients may use, by name, and counters that enforce shared ones. */
@NullMarked
package gambit.core.limit;

import org.jspecify.annotations.NullMarked;
