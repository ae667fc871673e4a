/**
 * The whole extension surface: what a feature may add to a relay and what the relay offers it.
 * Interfaces and values only; a feature needs nothing else of this module but {@code model}, {@code
 * wire}, {@code crypto}, {@code lane} and {@code metrics}.
 */
@NullMarked
package gambit.core.feature;

import org.jspecify.annotations.NullMarked;
