/**
 * Where events are kept: the interface that every store implements, and the obvious one in memory.
 * A store knows offsets, ids and addresses, but the meaning of no NIP.
 */
@NullMarked
package gambit.core.store;

import org.jspecify.annotations.NullMarked;
