/**
 * Threads: single-threaded lanes with bounded inboxes, and alarms that only hand on to them.
 * Nothing of Nostr in here; no other package starts threads but the writer and Netty.
 */
@NullMarked
package gambit.core.lane;

import org.jspecify.annotations.NullMarked;
