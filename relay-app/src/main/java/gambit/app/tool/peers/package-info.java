/**
 * What is synchronized with other relays: the events of a filter, the direction, and the peers of
 * the setting {@code sync.peers}. Values only.
 */
@NullMarked
package gambit.app.tool.peers;

import org.jspecify.annotations.NullMarked;
