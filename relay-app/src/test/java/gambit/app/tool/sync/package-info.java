/** Tests of the synchronization with other relays. */
@NullMarked
package gambit.app.tool.sync;

import org.jspecify.annotations.NullMarked;
