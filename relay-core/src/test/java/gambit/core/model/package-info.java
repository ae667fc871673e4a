/** Tests of Nostr's values. */
@NullMarked
package gambit.core.model;

import org.jspecify.annotations.NullMarked;
