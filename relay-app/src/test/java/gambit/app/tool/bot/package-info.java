/** Tests of the player without a person, with real engine processes. */
@NullMarked
package gambit.app.tool.bot;

import org.jspecify.annotations.NullMarked;
