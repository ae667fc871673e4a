/** Tests of the player without a person, with real engine processes. */
@NullMarked
package gambit.app.bot;

import org.jspecify.annotations.NullMarked;
