/** Tests of reading and writing frames. */
@NullMarked
package gambit.core.wire;

import org.jspecify.annotations.NullMarked;
