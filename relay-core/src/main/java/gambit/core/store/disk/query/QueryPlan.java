package gambit.core.store.disk.query;

import gambit.core.store.disk.index.Table;
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
 * @param otherwise the plan with which the query continues as soon as, of {@value
 *     #ENTRIES_ON_TRIAL} entries, fewer than {@value #MIN_EVENTS_ON_TRIAL} match; null if this plan
 *     has every match in few entries
 */
public record QueryPlan(
    Table table,
    List<byte[]> prefixes,
    @Nullable Set<Integer> kinds,
    @Nullable QueryPlan otherwise) {
  public static final int ENTRIES_ON_TRIAL = 64;
  static final int MIN_EVENTS_ON_TRIAL = 8;

  QueryPlan(Table table, List<byte[]> prefixes, @Nullable Set<Integer> kinds) {
    this(table, prefixes, kinds, null);
  }
}
