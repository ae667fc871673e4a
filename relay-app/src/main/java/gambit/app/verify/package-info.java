/**
 * {@code gambit verify}: refereeing a finished game again from what a relay serves of it, and
 * saying whose word each part rests on. Fetching and checking are apart: {@link
 * gambit.app.verify.GameFetch} trusts nothing and checks nothing, {@link
 * gambit.app.verify.Verification} is a function of what it has brought. Nothing here may reach into
 * the relay.
 */
@NullMarked
package gambit.app.verify;

import org.jspecify.annotations.NullMarked;
