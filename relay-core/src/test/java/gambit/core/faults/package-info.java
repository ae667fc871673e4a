/**
 * Durability and answers to clients when the relay shuts down or crashes, when its process is
 * killed, the power is cut, or the disk fails or is full.
 */
@NullMarked
package gambit.core.faults;

import org.jspecify.annotations.NullMarked;
