/**
 * Import and export of events as JSON lines, and {@code gambit sync}: the exchange of events with
 * another relay.
 */
@NullMarked
package gambit.app.command.transfer;

import org.jspecify.annotations.NullMarked;
