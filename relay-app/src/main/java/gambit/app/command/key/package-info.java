/** {@code gambit key}: shows, imports and exports the secret keys of a data directory. */
@NullMarked
package gambit.app.command.key;

import org.jspecify.annotations.NullMarked;
