/** Tests of the operators' port over HTTP. */
@NullMarked
package gambit.app.metrics;

import org.jspecify.annotations.NullMarked;
