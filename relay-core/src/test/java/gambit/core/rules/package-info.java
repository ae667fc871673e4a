/** The edges at which relays go wrong, a test each: what strict clients and testers check. */
@NullMarked
package gambit.core.rules;

import org.jspecify.annotations.NullMarked;
