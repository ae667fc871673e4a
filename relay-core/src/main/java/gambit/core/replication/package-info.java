/**
 * Several relays as one: the shared log, its leader and its followers. Nodes send to each other
 * what is in the log ({@code Entry}, with an {@code Effect} for each thing that another node does)
 * and messages over the bus ({@code BusMessage}).
 */
@NullMarked
package gambit.core.replication;

import org.jspecify.annotations.NullMarked;
