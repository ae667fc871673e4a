/** Write policy plugins as real processes. */
@NullMarked
package gambit.app.plugin;

import org.jspecify.annotations.NullMarked;
