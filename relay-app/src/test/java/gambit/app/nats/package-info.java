/** Tests of the adapter to NATS, against real servers. */
@NullMarked
package gambit.app.nats;

import org.jspecify.annotations.NullMarked;
