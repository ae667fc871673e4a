/**
 * Reads a whole log and index, and reports every fault with its place. It changes nothing, and the
 * log may be appended to meanwhile.
 */
@NullMarked
package gambit.core.store.disk.check;

import org.jspecify.annotations.NullMarked;
