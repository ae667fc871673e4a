/** Files of secret keys: the relay's, the house player's and those of players. */
@NullMarked
package gambit.app.keys;

import org.jspecify.annotations.NullMarked;
