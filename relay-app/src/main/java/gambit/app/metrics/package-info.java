/**
 * The operators' side: Micrometer behind the relay's narrow port, and the port that Prometheus
 * scrapes.
 */
@NullMarked
package gambit.app.metrics;

import org.jspecify.annotations.NullMarked;
