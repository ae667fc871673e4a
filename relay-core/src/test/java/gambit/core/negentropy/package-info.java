/** Tests of the comparison of sets by messages. */
@NullMarked
package gambit.core.negentropy;

import org.jspecify.annotations.NullMarked;
