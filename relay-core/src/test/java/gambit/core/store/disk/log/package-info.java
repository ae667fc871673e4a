/** Tests of the store on disk. */
@NullMarked
package gambit.core.store.disk.log;

import org.jspecify.annotations.NullMarked;
