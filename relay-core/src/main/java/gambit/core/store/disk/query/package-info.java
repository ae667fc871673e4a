/**
 * Queries: events that match a filter, in serving order, in pages of a bounded cost, and the sets
 * of NIP-77. Between pages, a query keeps positions only. Each entry of the index is confirmed on
 * its record.
 */
@NullMarked
package gambit.core.store.disk.query;

import org.jspecify.annotations.NullMarked;
