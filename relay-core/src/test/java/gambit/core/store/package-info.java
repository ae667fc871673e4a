/** Tests of the store in memory. */
@NullMarked
package gambit.core.store;

import org.jspecify.annotations.NullMarked;
