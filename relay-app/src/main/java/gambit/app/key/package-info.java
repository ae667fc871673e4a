/** {@code gambit key}: shows, imports and exports the secret keys of a data directory. */
@NullMarked
package gambit.app.key;

import org.jspecify.annotations.NullMarked;
