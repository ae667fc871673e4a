/** Metrics and health for operators: on Micrometer, at an HTTP port for Prometheus. */
@NullMarked
package gambit.app.server.metrics;

import org.jspecify.annotations.NullMarked;
