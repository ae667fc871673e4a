/**
 * Commands on a data directory: {@code gambit backup} and {@code gambit restore}, {@code gambit
 * check} of its store, and {@code gambit key} for its secret keys. The format of a backup is in
 * {@code gambit.core.store.disk}.
 */
@NullMarked
package gambit.app.command.data;

import org.jspecify.annotations.NullMarked;
