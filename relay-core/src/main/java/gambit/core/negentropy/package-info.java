/**
 * Negentropy protocol V1 (the appendix of NIP-77): two sets of event ids are compared by messages
 * that cost about as much as they differ. A set of items, the messages, the side that answers, and
 * the mediator that learns the difference of two sets from their answers. No sockets, no store.
 */
@NullMarked
package gambit.core.negentropy;

import org.jspecify.annotations.NullMarked;
