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
 * Chooses the plan for a filter. Where one table answers all of it, that is walked; else the
 * candidates run a race, and the one that has the fewest entries comes to its end first. One
 * thread, for one choice.
 */
final class Planner {
  /** Stretches for pairs of author and kind at most, for each value that the filter has. */
  private static final long PAIRS_A_VALUE = 4;

  /** Entries that a candidate walks before it is the next one's turn. */
  private static final int STEP = 64;

  /** Entries after which a candidate gives up; if all do, what is rarer as a rule is walked. */
  private static final int LAST = 2_048;

  private final Filter filter;
  private final IndexView view;
  private int examined;

  Planner(Filter filter, IndexView view) {
    this.filter = filter;
    this.view = view;
  }

  /** How many entries were looked at to choose. */
  int examined() {
    return examined;
  }

  Plan cheapest() {
    List<Plan> candidates = candidates();
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    List<Runner> runners = candidates.stream().map(Runner::new).toList();
    for (int walked = 0; walked < LAST && examined < 4 * LAST; walked += STEP) {
      for (Runner runner : runners) {
        if (runner.comesToItsEnd()) {
          return runner.plan;
        }
      }
    }
    return candidates.get(0);
  }

  /** What could be walked, what is rarer as a rule first. */
  private List<Plan> candidates() {
    Keys keys = view.keys();
    List<Plan> plans = new ArrayList<>();
    for (Map.Entry<Character, Set<String>> tag : filter.tags().entrySet()) {
      List<byte[]> values =
          tag.getValue().stream().map(value -> keys.ofTag(tag.getKey(), value)).toList();
      plans.add(new Plan(Table.TAG, values, filter.kinds()));
    }
    boolean isTagged = !plans.isEmpty();
    if (filter.authors() != null) {
      plans.add(byAuthor(filter.authors(), filter.kinds(), keys));
    }
    if (filter.kinds() != null && (isTagged || filter.authors() == null)) {
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
    if (kinds == null
        || (long) authors.size() * kinds.size() > PAIRS_A_VALUE * (authors.size() + kinds.size())) {
      authors.forEach(author -> prefixes.add(keys.ofAuthor(author)));
      return new Plan(Table.AUTHOR, prefixes, kinds);
    }
    for (PubKey author : authors) {
      kinds.forEach(kind -> prefixes.add(keys.ofAuthorAndKind(author, kind)));
    }
    return new Plan(Table.AUTHOR_KIND, prefixes, null);
  }

  /** A candidate on its way through its entries. */
  private final class Runner {
    private final Plan plan;
    private int stretch;
    private byte @Nullable [] left; // the entry of the stretch at which it stopped

    Runner(Plan plan) {
      this.plan = plan;
    }

    /** Goes on for a step; tells whether there is nothing more to walk. */
    boolean comesToItsEnd() {
      int steps = 0;
      while (stretch < plan.prefixes().size() && steps < STEP) {
        byte[] prefix = plan.prefixes().get(stretch);
        boolean more =
            view.seek(
                plan.table(),
                left != null
                    ? view.keys().copyOf(left)
                    : view.keys().from(prefix, latest(filter), 0, 0));
        steps++;
        while (more && steps < STEP && isWithin(view.key(plan.table()), prefix, filter)) {
          steps++;
          more = view.next(plan.table());
        }
        boolean isStopped = more && isWithin(view.key(plan.table()), prefix, filter);
        left = isStopped ? Keys.bytes(view.key(plan.table()).duplicate()) : null;
        stretch += isStopped ? 0 : 1;
      }
      examined += steps;
      return stretch == plan.prefixes().size();
    }
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
