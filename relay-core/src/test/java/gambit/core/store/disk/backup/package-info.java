/** Tests of the store on disk. */
@NullMarked
package gambit.core.store.disk.backup;

import org.jspecify.annotations.NullMarked;
