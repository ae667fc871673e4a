/**
 * {@code gambit bench}: measures any Nostr relay over sockets. It uses the protocol only, and for
 * CPU and memory the kernel's files about the relay's process; it knows nothing of this relay's
 * implementation.
 */
@NullMarked
package gambit.app.bench;

import org.jspecify.annotations.NullMarked;
