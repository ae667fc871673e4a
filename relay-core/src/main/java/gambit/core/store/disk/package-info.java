/**
 * The store on disk: {@code DiskEventStore}, its check, backup, restore and snapshots. A commit
 * that has returned is in the event log, which is authoritative; the LMDB index can always be
 * rebuilt from it. Rewriting, which erases removed events, needs both and is here, too. See {@code
 * docs/architecture.md}.
 */
@NullMarked
package gambit.core.store.disk;

import org.jspecify.annotations.NullMarked;
