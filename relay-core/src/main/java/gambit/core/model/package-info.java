/**
 * The values of Nostr: events with their encoding, ids, keys, tags, filters and addresses. They are
 * immutable and unverified; verifying, storing and sending are elsewhere.
 */
@NullMarked
package gambit.core.model;

import org.jspecify.annotations.NullMarked;
