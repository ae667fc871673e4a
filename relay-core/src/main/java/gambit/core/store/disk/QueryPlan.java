package gambit.core.store.disk;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of which table are to be walked for a filter: those of each prefix are in serving
 * order, and are merged.
 *
 * @param prefixes what the keys begin with, one stretch of the table each
 * @param kinds those that an entry's value may have, where the filter asks for kinds and the table
 *     knows them
 */
record QueryPlan(Table table, List<byte[]> prefixes, @Nullable Set<Integer> kinds) {}
