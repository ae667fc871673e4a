/** Import and export of events as JSON lines. */
@NullMarked
package gambit.app.transfer;

import org.jspecify.annotations.NullMarked;
