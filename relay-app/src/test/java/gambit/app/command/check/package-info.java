/** Tests of the check of a store. */
@NullMarked
package gambit.app.command.check;

import org.jspecify.annotations.NullMarked;
