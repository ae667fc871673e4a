/** Several relays as one: the shared log, its leader and its followers. */
@NullMarked
package gambit.core.replication;

import org.jspecify.annotations.NullMarked;
