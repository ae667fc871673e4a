/** Tests of the store on disk. */
@NullMarked
package gambit.core.store.disk;

import org.jspecify.annotations.NullMarked;
