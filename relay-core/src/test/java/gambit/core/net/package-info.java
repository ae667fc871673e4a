/** Tests of the port, over real sockets. */
@NullMarked
package gambit.core.net;

import org.jspecify.annotations.NullMarked;
