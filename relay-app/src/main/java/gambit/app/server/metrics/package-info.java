/**
 * Metrics and health for operators: the relay's metrics on Micrometer, and the HTTP port that
 * Prometheus scrapes.
 */
@NullMarked
package gambit.app.server.metrics;

import org.jspecify.annotations.NullMarked;
