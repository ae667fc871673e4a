/**
 * Delivery: the index of subscriptions, the lane that delivers answers and events in the order of
 * the commits, and the order of stored events, EOSE and live events.
 */
@NullMarked
package gambit.core.live;

import org.jspecify.annotations.NullMarked;
