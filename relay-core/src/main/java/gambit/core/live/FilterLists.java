package gambit.core.live;

import gambit.core.live.SubscriptionIndex.IndexedSubscription;
import gambit.core.model.Filter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a {@link SubscriptionIndex} that are registered under the values of one field,
 * such as authors; a doubly linked list for each value, so that adding and removing a filter takes
 * constant time. The live lane's only.
 */
final class FilterLists<K> {
  private final Map<K, FilterList> lists = new HashMap<>();

  private static final class FilterList {
    private final Map<?, FilterList> lists;
    private final Object value;
    private @Nullable Entry first;
    private int size;
    private long lastRound; // the last round that has visited the list

    FilterList(Map<?, FilterList> lists, Object value) {
      this.lists = lists;
      this.value = value;
    }
  }

  static final class Entry {
    private final FilterList list;
    private final IndexedSubscription subscription;
    private final Filter filter;
    private @Nullable Entry previous;
    private @Nullable Entry next;
    private final @Nullable Entry earlier; // of the subscription

    private Entry(FilterList list, IndexedSubscription subscription, Filter filter) {
      this.list = list;
      this.subscription = subscription;
      this.filter = filter;
      this.next = list.first;
      if (next != null) {
        next.previous = this;
      }
      list.first = this;
      list.size++;
      this.earlier = subscription.lastEntry();
    }

    IndexedSubscription subscription() {
      return subscription;
    }

    Filter filter() {
      return filter;
    }

    @Nullable Entry next() {
      return next;
    }

    /** The entry that was added before for the same subscription. */
    @Nullable Entry earlier() {
      return earlier;
    }

    /** Removes the filter from its list. To be called once. */
    void remove() {
      if (next != null) {
        next.previous = previous;
      }
      if (previous != null) {
        previous.next = next;
      } else {
        list.first = next;
      }
      list.size--;
      if (list.size == 0) {
        list.lists.remove(list.value);
      }
    }
  }

  /** Adds a filter under the values, and its entries to the subscription. */
  void add(Set<K> values, IndexedSubscription subscription, Filter filter) {
    for (K value : values) {
      FilterList list = lists.computeIfAbsent(value, v -> new FilterList(lists, v));
      subscription.add(new Entry(list, subscription, filter));
    }
  }

  boolean isEmpty() {
    return lists.isEmpty();
  }

  /** The first filter under a value; null if there is none, or the round has visited the list. */
  @Nullable Entry first(K value, long round) {
    FilterList list = lists.get(value);
    if (list == null || list.lastRound == round) {
      return null;
    }
    list.lastRound = round;
    return list.first;
  }

  /** Whether a filter under a value admits a kind. */
  boolean admits(K value, int kind) {
    FilterList list = lists.get(value);
    for (Entry entry = list == null ? null : list.first; entry != null; entry = entry.next) {
      Set<Integer> kinds = entry.filter.kinds();
      if (kinds == null || kinds.contains(kind)) {
        return true;
      }
    }
    return false;
  }

  long count(Set<K> values) {
    long sum = 0;
    for (K value : values) {
      FilterList list = lists.get(value);
      sum += list == null ? 0 : list.size;
    }
    return sum;
  }
}
