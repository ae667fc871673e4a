/**
 * The data directory of a relay: its lock, keys and store, and the backups of it that the running
 * relay makes. The format of a backup is in {@code gambit.core.store.disk}.
 */
@NullMarked
package gambit.app.server.data;

import org.jspecify.annotations.NullMarked;
