/** How the operator's commands reach the relay of a data directory, running or stopped. */
@NullMarked
package gambit.app.command.access;

import org.jspecify.annotations.NullMarked;
