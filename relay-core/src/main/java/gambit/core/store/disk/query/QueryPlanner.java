package gambit.core.store.disk.query;

import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.store.EventStore;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the plan for a filter. If there are several candidates, it scans them in turns, and the
 * first to reach its end, which has the fewest entries, is chosen. One thread, for one choice.
 */
public final class QueryPlanner {
  /** Maximum number of ranges for pairs of author and kind, per value of the filter. */
  private static final long MAX_PAIRS_PER_VALUE = 4;

  /** With fewer ranges, those of authors are merged at once. */
  private static final int MIN_RANGES_FOR_TRIAL = 32;

  /** With more kinds, the trial scans all of them together. */
  private static final int MAX_KINDS_FOR_TRIAL = 4;

  /** Number of entries that a candidate scans in one turn. */
  private static final int ENTRIES_PER_TURN = 64;

  /** Where a candidate stops; if all stop, the one that is usually rarest is chosen. */
  private static final int MAX_ENTRIES_PER_CANDIDATE = 2_048;

  public static final int ENTRIES_ON_TRIAL = 64;
  static final int MIN_EVENTS_ON_TRIAL = 8;

  private final Filter filter;
  private final IndexView view;
  private int examined;

  /**
   * The index entries to scan for a filter. The entries of each prefix are in serving order; the
   * scan merges them.
   *
   * @param kinds the kinds to accept in an entry's value, if the filter has kinds and the table
   *     stores them; else null
   * @param otherwise the plan with which the query continues as soon as, of {@value
   *     #ENTRIES_ON_TRIAL} entries, fewer than {@value #MIN_EVENTS_ON_TRIAL} match; null if this
   *     plan has every match in few entries
   */
  record Plan(
      Table table, List<byte[]> prefixes, @Nullable Set<Integer> kinds, @Nullable Plan otherwise) {
    Plan(Table table, List<byte[]> prefixes, @Nullable Set<Integer> kinds) {
      this(table, prefixes, kinds, null);
    }
  }

  QueryPlanner(Filter filter, IndexView view) {
    this.filter = filter;
    this.view = view;
  }

  int examined() {
    return examined;
  }

  Plan choose() {
    List<Plan> plans = candidatePlans();
    if (plans.size() == 1) {
      return withTrial(plans.get(0));
    }
    List<Candidate> running = plans.stream().map(Candidate::new).toList();
    for (int walked = 0;
        walked < MAX_ENTRIES_PER_CANDIDATE && examined < 4 * MAX_ENTRIES_PER_CANDIDATE;
        walked += ENTRIES_PER_TURN) {
      for (Candidate candidate : running) {
        if (candidate.walkTurn()) {
          return candidate.plan;
        }
      }
    }
    return plans.get(0);
  }

  /**
   * The plan, preceded by a scan in serving order if it has many ranges: their authors may have
   * written much of what is new, and a search in each range costs more than some entries more.
   */
  private Plan withTrial(Plan plan) {
    if (filter.authors() == null || plan.prefixes().size() < MIN_RANGES_FOR_TRIAL) {
      return plan;
    }
    Set<Integer> kinds = filter.kinds();
    return kinds != null && kinds.size() <= MAX_KINDS_FOR_TRIAL
        ? new Plan(Table.KIND, kindPrefixes(kinds), null, plan)
        : new Plan(Table.TIME, List.of(new byte[0]), kinds, plan);
  }

  private List<byte[]> kindPrefixes(Set<Integer> kinds) {
    return kinds.stream().map(view.keys()::kindPrefix).toList();
  }

  /** The candidate plans, usually rarest first. */
  private List<Plan> candidatePlans() {
    IndexKeys keys = view.keys();
    List<Plan> plans = new ArrayList<>();
    for (Map.Entry<Character, Set<String>> tag : filter.tags().entrySet()) {
      List<byte[]> values =
          tag.getValue().stream().map(value -> keys.tagPrefix(tag.getKey(), value)).toList();
      plans.add(new Plan(Table.TAG, values, filter.kinds()));
    }
    boolean isTagged = !plans.isEmpty();
    if (filter.authors() != null) {
      plans.add(byAuthor(filter.authors(), filter.kinds(), keys));
    }
    if (filter.kinds() != null && (isTagged || filter.authors() == null)) {
      plans.add(new Plan(Table.KIND, kindPrefixes(filter.kinds()), null));
    }
    if (plans.isEmpty()) {
      plans.add(new Plan(Table.TIME, List.of(new byte[0]), null));
    }
    return plans;
  }

  private static Plan byAuthor(Set<PubKey> authors, @Nullable Set<Integer> kinds, IndexKeys keys) {
    List<byte[]> prefixes = new ArrayList<>();
    if (kinds == null
        || (long) authors.size() * kinds.size()
            > MAX_PAIRS_PER_VALUE * (authors.size() + kinds.size())) {
      authors.forEach(author -> prefixes.add(keys.authorPrefix(author)));
      return new Plan(Table.AUTHOR, prefixes, kinds);
    }
    for (PubKey author : authors) {
      kinds.forEach(kind -> prefixes.add(keys.authorKindPrefix(author, kind)));
    }
    return new Plan(Table.AUTHOR_KIND, prefixes, null);
  }

  private final class Candidate {
    private final Plan plan;
    private int prefixIndex;
    private byte @Nullable [] resumeKey; // where the scan of the current prefix stopped

    Candidate(Plan plan) {
      this.plan = plan;
    }

    /** Scans for one turn; returns whether the end is reached. */
    boolean walkTurn() {
      int steps = 0;
      while (prefixIndex < plan.prefixes().size() && steps < ENTRIES_PER_TURN) {
        byte[] prefix = plan.prefixes().get(prefixIndex);
        boolean more =
            view.seek(
                plan.table(),
                resumeKey != null
                    ? view.keys().copyOf(resumeKey)
                    : view.keys().seekKey(prefix, latest(filter), 0, 0));
        steps++;
        while (more
            && steps < ENTRIES_PER_TURN
            && isWithin(view.key(plan.table()), prefix, filter)) {
          steps++;
          more = view.next(plan.table());
        }
        boolean isStopped = more && isWithin(view.key(plan.table()), prefix, filter);
        resumeKey = isStopped ? IndexKeys.bytes(view.key(plan.table())) : null;
        prefixIndex += isStopped ? 0 : 1;
      }
      examined += steps;
      return prefixIndex == plan.prefixes().size();
    }
  }

  /** Whether an entry has that prefix and is not older than the filter's {@code since}. */
  static boolean isWithin(ByteBuffer key, byte[] prefix, Filter filter) {
    return IndexKeys.startsWith(key, prefix)
        && (filter.since() == null || IndexKeys.createdAt(key, prefix.length) >= filter.since());
  }

  /** The newest time that the filter accepts and a sort key can hold. */
  static long latest(Filter filter) {
    long newest = EventStore.TIMESTAMP_BOUND - 1;
    return filter.until() == null ? newest : Math.max(0, Math.min(filter.until(), newest));
  }
}
