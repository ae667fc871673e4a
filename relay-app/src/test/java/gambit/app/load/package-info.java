/**
 * Measures a running relay over sockets: {@link gambit.app.load.RelayLoad}. The relay is a separate
 * process, so that the cost of its clients is not counted.
 */
@NullMarked
package gambit.app.load;

import org.jspecify.annotations.NullMarked;
