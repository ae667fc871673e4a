/** Tests of an event's way to its answer. */
@NullMarked
package gambit.core.ingest;

import org.jspecify.annotations.NullMarked;
