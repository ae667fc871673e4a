/** A complete, ordinary Nostr relay as a library; nothing in here knows of chess. */
@NullMarked
package gambit.core;

import org.jspecify.annotations.NullMarked;
