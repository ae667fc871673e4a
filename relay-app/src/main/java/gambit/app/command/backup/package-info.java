/**
 * {@code gambit backup} and {@code gambit restore}: copies of a data directory and the way back.
 * The format of a backup is in {@code gambit.core.store.disk}.
 */
@NullMarked
package gambit.app.command.backup;

import org.jspecify.annotations.NullMarked;
