/**
 * {@code gambit verify}: referees a finished game again from the events that a relay serves, and
 * reports what the players' signatures prove and what the relay alone attests. It must not depend
 * on the relay's implementation.
 */
@NullMarked
package gambit.app.tool.verify;

import org.jspecify.annotations.NullMarked;
