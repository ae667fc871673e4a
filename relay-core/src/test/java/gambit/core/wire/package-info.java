/** Tests of reading and encoding frames. */
@NullMarked
package gambit.core.wire;

import org.jspecify.annotations.NullMarked;
