/** Tests of the NIPs beyond NIP-01. */
@NullMarked
package gambit.core.nip;

import org.jspecify.annotations.NullMarked;
