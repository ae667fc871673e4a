/** Tests of what an ordinary relay does beyond NIP-01. */
@NullMarked
package gambit.core.nip;

import org.jspecify.annotations.NullMarked;
