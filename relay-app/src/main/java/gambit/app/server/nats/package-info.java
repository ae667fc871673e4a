/** The cluster's engine: the shared log, the bus and the snapshots on NATS with JetStream. */
@NullMarked
package gambit.app.server.nats;

import org.jspecify.annotations.NullMarked;
