/** Tests of delivery. */
@NullMarked
package gambit.core.live;

import org.jspecify.annotations.NullMarked;
