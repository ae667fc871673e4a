/** {@code gambit check}: the store of a relay that does not run, read from end to end. */
@NullMarked
package gambit.app.check;

import org.jspecify.annotations.NullMarked;
