/** Tests of the commands on a data directory. */
@NullMarked
package gambit.app.command.data;

import org.jspecify.annotations.NullMarked;
