/** Tests of the store on disk. */
@NullMarked
package gambit.core.store.disk.index;

import org.jspecify.annotations.NullMarked;
