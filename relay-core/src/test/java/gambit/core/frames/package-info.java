/**
 * The protocols over a real socket, frame by frame: the golden frame files, the edges at which
 * relays go wrong, and WebSocket frames.
 */
@NullMarked
package gambit.core.frames;

import org.jspecify.annotations.NullMarked;
