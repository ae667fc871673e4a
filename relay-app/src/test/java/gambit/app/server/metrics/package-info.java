/** Tests of the operators' port over HTTP. */
@NullMarked
package gambit.app.server.metrics;

import org.jspecify.annotations.NullMarked;
