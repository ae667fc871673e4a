/** Reload of the configuration while the relay runs, and the channel that requests it. */
@NullMarked
package gambit.app.server.reload;

import org.jspecify.annotations.NullMarked;
