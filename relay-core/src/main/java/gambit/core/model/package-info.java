/**
 * Nostr's values: events with their one encoding, ids, keys, tags, filters, addresses. Immutable,
 * and they hold whatever was claimed: nothing in here verifies, stores or sends.
 */
@NullMarked
package gambit.core.model;

import org.jspecify.annotations.NullMarked;
