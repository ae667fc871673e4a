/**
 * The index of the log's records: sorted tables in LMDB, with the changes of the last commits over
 * them in memory. A view shows exactly one commit; readers never wait. After a killed process, the
 * index is brought up to date from the log; after a crash of the machine, it is rebuilt.
 */
@NullMarked
package gambit.core.store.disk.index;

import org.jspecify.annotations.NullMarked;
