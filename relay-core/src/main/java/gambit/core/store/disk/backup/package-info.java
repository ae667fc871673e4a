/**
 * The list of the files of a backup or snapshot, and the directory of a backup: its lock, and what
 * of it the next backup can keep. A backup is complete once its list is written.
 */
@NullMarked
package gambit.core.store.disk.backup;

import org.jspecify.annotations.NullMarked;
