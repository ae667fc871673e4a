package gambit.core.store.disk;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The index entries to scan for a filter. The entries of each prefix are in serving order; the scan
 * merges them.
 *
 * @param prefixes key prefixes, one range of the table each
 * @param kinds the kinds to accept in an entry's value, if the filter has kinds and the table
 *     stores them; else null
 */
record QueryPlan(Table table, List<byte[]> prefixes, @Nullable Set<Integer> kinds) {}
