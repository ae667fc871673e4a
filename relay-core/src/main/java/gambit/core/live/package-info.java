/**
 * Delivery: which subscriptions want an event, and the one lane that lets out answers and events in
 * the order of their commits. It decides nothing about events.
 */
@NullMarked
package gambit.core.live;

import org.jspecify.annotations.NullMarked;
