/** Chains of rated records: honest ones, and those of relays that lie. */
@NullMarked
package gambit.app.command.ratings;

import org.jspecify.annotations.NullMarked;
