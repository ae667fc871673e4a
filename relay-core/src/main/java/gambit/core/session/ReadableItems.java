package gambit.core.session;

import gambit.core.model.EventId;
import gambit.core.negentropy.Bound;
import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.Item;
import gambit.core.negentropy.ItemSet;
import gambit.core.negentropy.ListItemSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The items from {@code start} to {@code end} of a set of stored events, without some of them and
 * with some others, which are not in the set.
 *
 * @param without events that are not served; all of them are in the stored set
 * @param others events of kinds that the stored set leaves out
 */
record ReadableItems(
    ItemSet stored, ListItemSet without, ListItemSet others, Bound start, Bound end)
    implements ItemSet {

  @Override
  public IdSum sum(Bound from, Bound to) {
    Bound lower = later(from, start);
    Bound upper = earlier(to, end);
    if (lower.compareTo(upper) >= 0) {
      return IdSum.ZERO;
    }
    return stored.sum(lower, upper).minus(without.sum(lower, upper)).plus(others.sum(lower, upper));
  }

  @Override
  public List<Item> items(Bound from, Bound to, int max) {
    Bound lower = later(from, start);
    Bound upper = earlier(to, end);
    if (lower.compareTo(upper) >= 0) {
      return List.of();
    }
    Set<EventId> left = new HashSet<>();
    without.items(lower, upper, Integer.MAX_VALUE).forEach(item -> left.add(item.id()));
    List<Item> found = new ArrayList<>(stored.items(lower, upper, max + left.size()));
    found.removeIf(item -> left.contains(item.id()));
    List<Item> more = others.items(lower, upper, max);
    if (!more.isEmpty()) {
      found.addAll(more);
      found.sort(null);
    }
    return found.size() <= max ? found : found.subList(0, max);
  }

  /** Cuts where the larger one of the two sets is cut; a part may be empty. */
  @Override
  public List<Part> split(Bound from, Bound to, int parts) {
    Bound lower = later(from, start);
    Bound upper = earlier(to, end);
    boolean mostAreStored = stored.sum(lower, upper).count() >= others.sum(lower, upper).count();
    List<Part> cuts = (mostAreStored ? stored : others).split(lower, upper, parts);
    List<Part> result = new ArrayList<>(parts);
    for (int i = 0; i < cuts.size(); i++) {
      Bound cut = i == cuts.size() - 1 ? to : cuts.get(i).upper();
      result.add(new Part(cut, sum(lower, cut)));
      lower = cut;
    }
    return result;
  }

  private static Bound later(Bound a, Bound b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static Bound earlier(Bound a, Bound b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
