/**
 * Storage of events: the interface of every store. A store handles offsets, ids and addresses; the
 * rules of the NIPs are not applied here.
 */
@NullMarked
package gambit.core.store;

import org.jspecify.annotations.NullMarked;
