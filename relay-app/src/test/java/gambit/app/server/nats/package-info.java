/** Tests of the adapter to NATS, against real servers. */
@NullMarked
package gambit.app.server.nats;

import org.jspecify.annotations.NullMarked;
