/** Chess on a Nostr relay: rules, referee, dialects and session manager. */
@NullMarked
package gambit.chess;

import org.jspecify.annotations.NullMarked;
