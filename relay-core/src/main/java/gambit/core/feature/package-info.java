/**
 * The interface between the relay and its features: extension points and services, as interfaces
 * and values only. A feature needs nothing else of this module but {@code model}, {@code wire},
 * {@code crypto}, {@code lane}, {@code rate}, {@code limit} and {@code metrics}.
 */
@NullMarked
package gambit.core.feature;

import org.jspecify.annotations.NullMarked;
