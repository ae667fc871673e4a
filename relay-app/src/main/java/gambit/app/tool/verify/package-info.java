/**
 * {@code gambit verify}: referees a finished game again from the events that a relay serves, and
 * reports what the players' signatures prove and what the relay alone attests. {@link
 * gambit.app.tool.verify.GameFetcher} fetches the events and bounds their number and size; {@link
 * gambit.app.tool.verify.Verification} checks them, as a function of the fetched events. Classes
 * here must not depend on the relay's implementation.
 */
@NullMarked
package gambit.app.tool.verify;

import org.jspecify.annotations.NullMarked;
