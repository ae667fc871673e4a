/** Tests of commands that reach the relay of a data directory. */
@NullMarked
package gambit.app.command.access;

import org.jspecify.annotations.NullMarked;
