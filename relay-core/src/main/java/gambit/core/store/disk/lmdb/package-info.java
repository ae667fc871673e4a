/**
 * A binding to LMDB, the library that keeps the index's tables in a memory-mapped file: only the
 * calls that the index needs. They are made through jffi, so that no class is generated when the
 * relay starts, and a step of a cursor allocates nothing.
 */
@NullMarked
package gambit.core.store.disk.lmdb;

import org.jspecify.annotations.NullMarked;
