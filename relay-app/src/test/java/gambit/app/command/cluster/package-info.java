/**
 * A cluster of three relays and three NATS servers in processes of their own, under load, while
 * they are killed, stopped and cut off at random.
 */
@NullMarked
package gambit.app.command.cluster;

import org.jspecify.annotations.NullMarked;
