/** Tests of the import and export of events. */
@NullMarked
package gambit.app.command.transfer;

import org.jspecify.annotations.NullMarked;
