/** Tests of the values of Nostr. */
@NullMarked
package gambit.core.model;

import org.jspecify.annotations.NullMarked;
