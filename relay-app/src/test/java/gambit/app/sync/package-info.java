/** Tests of the synchronization with other relays. */
@NullMarked
package gambit.app.sync;

import org.jspecify.annotations.NullMarked;
