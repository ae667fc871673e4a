/**
 * The interface through which the relay publishes metrics. The program provides the metrics
 * library.
 */
@NullMarked
package gambit.core.metrics;

import org.jspecify.annotations.NullMarked;
