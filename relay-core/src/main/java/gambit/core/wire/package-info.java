/**
 * Parses frames into messages and encodes messages as frames (NIP-01). An invalid message is a
 * value with a reason. There are no sockets and no state between two frames.
 */
@NullMarked
package gambit.core.wire;

import org.jspecify.annotations.NullMarked;
