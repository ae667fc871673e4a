/** Write policy plugins as real processes. */
@NullMarked
package gambit.app.server.plugin;

import org.jspecify.annotations.NullMarked;
