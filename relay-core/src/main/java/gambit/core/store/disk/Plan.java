package gambit.core.store.disk;

import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.store.EventStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
record Plan(Table table, List<byte[]> prefixes, @Nullable Set<Integer> kinds) {
  /** Stretches for pairs of author and kind at most; beyond it, kinds are looked at in values. */
  private static final int PAIRS = 2_000;

  /** Entries that each candidate is tried on, first and at last. */
  private static final int FIRST_TRY = 128;

  private static final int LAST_TRY = 2_048;

  /** Stretches that are looked at to estimate a candidate. */
  private static final int SAMPLE = 32;

  /** The cheapest plan, found by walking each candidate a little. */
  static Plan of(Filter filter, IndexView view) {
    List<Plan> candidates = candidates(filter, view.keys());
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    for (int enough = FIRST_TRY; enough < LAST_TRY; enough *= 4) {
      Plan best = null;
      long least = enough;
      for (Plan plan : candidates) {
        long entries = plan.estimate(filter, view, enough);
        if (entries < least) {
          least = entries;
          best = plan;
        }
      }
      if (best != null) {
        return best;
      }
    }
    return candidates.get(0);
  }

  /** What could be walked, what is likely to be shorter first. */
  private static List<Plan> candidates(Filter filter, Keys keys) {
    List<Plan> plans = new ArrayList<>();
    for (Map.Entry<Character, Set<String>> tag : filter.tags().entrySet()) {
      List<byte[]> values =
          tag.getValue().stream().map(value -> keys.ofTag(tag.getKey(), value)).toList();
      plans.add(new Plan(Table.TAG, values, filter.kinds()));
    }
    if (filter.authors() != null) {
      plans.add(byAuthor(filter.authors(), filter.kinds(), keys));
    }
    if (filter.kinds() != null) {
      List<byte[]> kinds = filter.kinds().stream().map(keys::ofKind).toList();
      plans.add(new Plan(Table.KIND, kinds, null));
    }
    if (plans.isEmpty()) {
      plans.add(new Plan(Table.TIME, List.of(new byte[0]), null));
    }
    return plans;
  }

  private static Plan byAuthor(Set<PubKey> authors, @Nullable Set<Integer> kinds, Keys keys) {
    List<byte[]> prefixes = new ArrayList<>();
    if (kinds == null || (long) authors.size() * kinds.size() > PAIRS) {
      authors.forEach(author -> prefixes.add(keys.ofAuthor(author)));
      return new Plan(Table.AUTHOR, prefixes, kinds);
    }
    for (PubKey author : authors) {
      kinds.forEach(kind -> prefixes.add(keys.ofAuthorAndKind(author, kind)));
    }
    return new Plan(Table.AUTHOR_KIND, prefixes, null);
  }

  /** About how many entries there are to walk, or {@code enough} when they are no fewer. */
  private long estimate(Filter filter, IndexView view, int enough) {
    int sampled = Math.min(prefixes.size(), SAMPLE);
    long entries = sampled; // each costs a look
    for (byte[] prefix : prefixes.subList(0, sampled)) {
      boolean more = view.seek(table, view.keys().from(prefix, latest(filter), 0, 0));
      while (more && entries < enough && isWithin(view.key(table), prefix, filter)) {
        entries++;
        more = view.next(table);
      }
    }
    return Math.min(entries * prefixes.size() / Math.max(sampled, 1), enough);
  }

  /** Whether an entry is one of that prefix and not too old for the filter. */
  static boolean isWithin(ByteBuffer key, byte[] prefix, Filter filter) {
    return Keys.startsWith(key, prefix)
        && (filter.since() == null || Keys.createdAt(key, prefix.length) >= filter.since());
  }

  /** The newest time that the filter asks for and a place can hold. */
  static long latest(Filter filter) {
    long newest = EventStore.MAX_TIME - 1;
    return filter.until() == null ? newest : Math.max(0, Math.min(filter.until(), newest));
  }
}
