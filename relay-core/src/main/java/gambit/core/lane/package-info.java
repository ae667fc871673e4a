/**
 * Threads: lanes with bounded inboxes, and alarms that hand work on to them. Independent of Nostr.
 * Only the writer and Netty start other threads.
 */
@NullMarked
package gambit.core.lane;

import org.jspecify.annotations.NullMarked;
