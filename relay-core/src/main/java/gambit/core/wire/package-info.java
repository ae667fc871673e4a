/**
 * What is said over a connection, in both directions: frames' bytes ↔ sealed messages (NIP-01). A
 * malformed frame is a value with a reason. No sockets, no state between two frames.
 */
@NullMarked
package gambit.core.wire;

import org.jspecify.annotations.NullMarked;
