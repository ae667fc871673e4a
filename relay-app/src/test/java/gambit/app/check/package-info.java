/** Tests of the check of a store. */
@NullMarked
package gambit.app.check;

import org.jspecify.annotations.NullMarked;
