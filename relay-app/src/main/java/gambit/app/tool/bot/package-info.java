/**
 * A player without a person: a client of NIP-100 that plays any number of games, with the engine of
 * relay-chess or with a UCI engine in a process of its own. {@code gambit bot} runs it against any
 * relay; the house player is the same client of the relay in the same process.
 */
@NullMarked
package gambit.app.tool.bot;

import org.jspecify.annotations.NullMarked;
