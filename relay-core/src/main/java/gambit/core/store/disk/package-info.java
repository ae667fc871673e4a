/**
 * The store on disk: an append-only log of groups, which is authoritative, and an LMDB index, which
 * can always be rebuilt from it. See {@code docs/architecture.md}.
 */
@NullMarked
package gambit.core.store.disk;

import org.jspecify.annotations.NullMarked;
