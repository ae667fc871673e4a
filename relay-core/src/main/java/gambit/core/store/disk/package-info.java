/**
 * The store on disk: an append-only log of groups, which alone is the truth, and an LMDB index,
 * which can always be made again from it. {@code docs/architecture.md} has the pictures.
 */
@NullMarked
package gambit.core.store.disk;

import org.jspecify.annotations.NullMarked;
