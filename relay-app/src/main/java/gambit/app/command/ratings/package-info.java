/** {@code gambit ratings}: shows ratings, and verifies the chain of a relay's rated records. */
@NullMarked
package gambit.app.command.ratings;

import org.jspecify.annotations.NullMarked;
