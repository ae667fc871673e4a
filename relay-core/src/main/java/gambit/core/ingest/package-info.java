/**
 * The path of an event from its frame to its answer: checks, event handlers, the writer, and the
 * rules of storing an event, such as replacement, which are implemented here for all stores.
 */
@NullMarked
package gambit.core.ingest;

import org.jspecify.annotations.NullMarked;
