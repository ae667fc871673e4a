/**
 * Synchronization of two relays, this one and a peer, as a client of both: for {@code gambit sync},
 * and for the mirrors of {@code sync.peers}. It compares what the two have (NIP-77, or page by
 * page), and moves the events that one of them lacks. No access to the store.
 */
@NullMarked
package gambit.app.tool.sync;

import org.jspecify.annotations.NullMarked;
