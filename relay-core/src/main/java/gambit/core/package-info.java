/** A complete, ordinary Nostr relay as a library; independent of chess. */
@NullMarked
package gambit.core;

import org.jspecify.annotations.NullMarked;
