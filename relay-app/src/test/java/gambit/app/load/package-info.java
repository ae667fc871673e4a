/**
 * Measures the running relay from outside, over sockets: {@link gambit.app.load.RelayLoad}. The
 * relay is a process of its own, so that what its clients here cost is not counted.
 */
@NullMarked
package gambit.app.load;

import org.jspecify.annotations.NullMarked;
