/**
 * Synchronization with other relays: {@code gambit sync}, and the mirrors of {@code sync.peers}.
 * Both are clients of two relays, this one and a peer: they compare what the two have (NIP-77, or
 * page by page), and move the events that one of them lacks. No access to the store.
 */
@NullMarked
package gambit.app.tool.sync;

import org.jspecify.annotations.NullMarked;
