/** Tests of signatures and encryption. */
@NullMarked
package gambit.core.crypto;

import org.jspecify.annotations.NullMarked;
