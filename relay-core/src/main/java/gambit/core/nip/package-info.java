/** NIPs beyond NIP-01, and policies: a file each. The relay works without any of them. */
@NullMarked
package gambit.core.nip;

import org.jspecify.annotations.NullMarked;
