/** {@code gambit check}: reads the whole store of a relay and reports damage. */
@NullMarked
package gambit.app.command.check;

import org.jspecify.annotations.NullMarked;
