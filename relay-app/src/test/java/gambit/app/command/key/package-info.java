/** Tests of the commands for keys. */
@NullMarked
package gambit.app.command.key;

import org.jspecify.annotations.NullMarked;
