/** Import and export of events as JSON lines. */
@NullMarked
package gambit.app.command.transfer;

import org.jspecify.annotations.NullMarked;
