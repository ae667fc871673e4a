/** The data directory of a relay: its lock, keys and store. */
@NullMarked
package gambit.app.server.data;

import org.jspecify.annotations.NullMarked;
