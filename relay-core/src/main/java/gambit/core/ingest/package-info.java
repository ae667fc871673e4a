/**
 * The way of an event from its frame to its answer: gates, verification, authorities, and the one
 * writer. What replacing means (NIP-01) is decided here, against a store transaction, and nowhere
 * else.
 */
@NullMarked
package gambit.core.ingest;

import org.jspecify.annotations.NullMarked;
