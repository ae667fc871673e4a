/**
 * What nodes send to each other, in the shared log ({@code Entry}, with an {@code Effect} for each
 * thing that another node does) and over the bus ({@code BusMessage}), and its binary form.
 */
@NullMarked
package gambit.core.replication.message;

import org.jspecify.annotations.NullMarked;
