/** Tests of the import and export of events. */
@NullMarked
package gambit.app.transfer;

import org.jspecify.annotations.NullMarked;
