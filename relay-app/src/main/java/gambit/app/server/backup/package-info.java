/**
 * Copies of a data directory, made by {@code gambit backup} or by the running relay itself. The
 * format of a backup is in {@code gambit.core.store.disk}.
 */
@NullMarked
package gambit.app.server.backup;

import org.jspecify.annotations.NullMarked;
