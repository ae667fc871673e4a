/**
 * The directory of a backup: its list of files, its lock, and what of it the next backup can keep.
 * A backup is complete once its list is written.
 */
@NullMarked
package gambit.core.store.disk.backup;

import org.jspecify.annotations.NullMarked;
