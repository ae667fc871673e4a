/** Tests of the store on disk. */
@NullMarked
package gambit.core.store.disk.query;

import org.jspecify.annotations.NullMarked;
