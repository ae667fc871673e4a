package gambit.core.live;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the subscriptions that an event matches without examining all of them. Each filter is
 * registered under the values of one of its conditions, and an event examines the filters under its
 * own id, author, tags and kind. The condition chosen is the one under whose values the fewest
 * filters are registered at that time; kinds are used only if there is no other, and a filter
 * without conditions is examined for every event.
 *
 * <p>The live lane's only. Bounded by the bounds on subscriptions and filter values; about 100
 * bytes for each value.
 */
final class SubscriptionIndex {
  /** Up to this number, searching the tags is cheaper than collecting their values. */
  private static final int MAX_SEARCHED_TAGS = 16;

  private final Map<Subscriber, IndexedSubscription> all = new HashMap<>();

  private final Map<ClientConnection, List<Subscriber>> byConnection = new HashMap<>();

  private final FilterLists<EventId> byId = new FilterLists<>();
  private final FilterLists<PubKey> byAuthor = new FilterLists<>();
  private final Map<Character, FilterLists<String>> byTag = new HashMap<>();
  private final FilterLists<Integer> byKind = new FilterLists<>();
  private final FilterLists<Boolean> unconditional = new FilterLists<>();

  /** The values of the tags of the event being matched, by letter, if it has many. */
  private @Nullable Map<Character, Set<String>> tagValues;

  private long round; // a number for each event matched, so that nothing is found twice

  private static final class IndexedSubscription {
    private final Subscriber subscription;
    private @Nullable Entry lastEntry; // which refers to the one before
    private long lastRound; // the last round in which it was found

    IndexedSubscription(Subscriber subscription) {
      this.subscription = subscription;
    }
  }

  void add(Subscriber subscription) {
    IndexedSubscription indexed = new IndexedSubscription(subscription);
    if (all.putIfAbsent(subscription, indexed) != null) {
      return;
    }
    byConnection
        .computeIfAbsent(subscription.connection(), it -> new ArrayList<>(1))
        .add(subscription);
    for (Filter filter : subscription.filters()) {
      if (!filter.isImpossible()) {
        add(indexed, filter);
      }
    }
  }

  private void add(IndexedSubscription indexed, Filter filter) {
    Condition<?> best = null;
    if (filter.ids() != null) {
      best = new Condition<>(byId, filter.ids());
    }
    if (filter.authors() != null) {
      best = Condition.cheaper(best, new Condition<>(byAuthor, filter.authors()));
    }
    for (Map.Entry<Character, Set<String>> tag : filter.tags().entrySet()) {
      FilterLists<String> lists =
          byTag.computeIfAbsent(tag.getKey(), letter -> new FilterLists<>());
      best = Condition.cheaper(best, new Condition<>(lists, tag.getValue()));
    }
    if (best == null && filter.kinds() != null) {
      best = new Condition<>(byKind, filter.kinds());
    }
    if (best == null) {
      best = new Condition<>(unconditional, Set.of(true));
    }
    best.register(indexed, filter);
  }

  /**
   * Whether any subscription can match the event with a state, which is not built yet, with an id
   * that no client can know: whether a filter is registered under a value of the event, and admits
   * its kind.
   */
  boolean canMatch(Outgoing.Current current, PubKey author) {
    int kind = current.kind();
    if (byKind.admits(kind, kind)
        || unconditional.admits(true, kind)
        || byAuthor.admits(author, kind)) {
      return true;
    }
    FilterLists<String> keys = byTag.get('d');
    if (keys != null && keys.admits(current.key(), kind)) {
      return true;
    }
    FilterLists<String> pubkeys = byTag.get('p');
    return pubkeys != null
        && current.about().stream().anyMatch(key -> pubkeys.admits(key.hex(), kind));
  }

  /** One of a filter's conditions: an event must have one of the values. */
  private record Condition<K>(FilterLists<K> lists, Set<K> values) {

    static Condition<?> cheaper(@Nullable Condition<?> a, Condition<?> b) {
      return a == null || b.cost() < a.cost() ? b : a;
    }

    private long cost() {
      return values.size() + lists.count(values);
    }

    void register(IndexedSubscription indexed, Filter filter) {
      lists.add(values, indexed, filter);
    }
  }

  /** Removes a subscription; false if it was not there. */
  boolean remove(Subscriber subscription) {
    IndexedSubscription indexed = all.remove(subscription);
    if (indexed == null) {
      return false;
    }
    for (Entry each = indexed.lastEntry; each != null; each = each.earlier) {
      each.remove();
    }
    List<Subscriber> ofConnection = byConnection.get(subscription.connection());
    if (ofConnection != null && ofConnection.remove(subscription) && ofConnection.isEmpty()) {
      byConnection.remove(subscription.connection());
    }
    return true;
  }

  int size() {
    return all.size();
  }

  /** Whether no entry of any subscription is left. */
  boolean isEmpty() {
    return all.isEmpty()
        && byConnection.isEmpty()
        && Stream.concat(Stream.of(byId, byAuthor, byKind, unconditional), byTag.values().stream())
            .allMatch(FilterLists::isEmpty);
  }

  List<Subscriber> matching(Event event) {
    List<Subscriber> found = new ArrayList<>();
    round++;
    tagValues = null;
    examine(byId.first(event.id(), round), event, found);
    examine(byAuthor.first(event.pubkey(), round), event, found);
    examine(byKind.first(event.kind(), round), event, found);
    examine(unconditional.first(true, round), event, found);
    if (!byTag.isEmpty()) {
      for (List<String> tag : event.tags().list()) {
        FilterLists<String> lists =
            tag.size() > 1 && tag.get(0).length() == 1 ? byTag.get(tag.get(0).charAt(0)) : null;
        if (lists != null) {
          examine(lists.first(tag.get(1), round), event, found);
        }
      }
    }
    return found;
  }

  private void examine(@Nullable Entry first, Event event, List<Subscriber> found) {
    for (Entry entry = first; entry != null; entry = entry.next) {
      IndexedSubscription indexed = entry.subscription;
      if (indexed.lastRound != round && matches(entry.filter, event)) {
        indexed.lastRound = round;
        found.add(indexed.subscription);
      }
    }
  }

  private boolean matches(Filter filter, Event event) {
    if (event.tags().size() <= MAX_SEARCHED_TAGS) {
      return filter.matches(event);
    }
    if (!filter.matchesIgnoringTags(event)) {
      return false;
    }
    Map<Character, Set<String>> values = tagValues;
    if (values == null) {
      values = tagValuesOf(event);
      tagValues = values;
    }
    for (Map.Entry<Character, Set<String>> wanted : filter.tags().entrySet()) {
      if (Collections.disjoint(values.getOrDefault(wanted.getKey(), Set.of()), wanted.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static Map<Character, Set<String>> tagValuesOf(Event event) {
    Map<Character, Set<String>> values = new HashMap<>();
    for (List<String> tag : event.tags().list()) {
      if (tag.size() > 1 && tag.get(0).length() == 1) {
        values.computeIfAbsent(tag.get(0).charAt(0), letter -> new HashSet<>()).add(tag.get(1));
      }
    }
    return values;
  }

  List<Subscriber> matching(Event event, ClientConnection connection) {
    List<Subscriber> found = new ArrayList<>(1);
    for (Subscriber each : byConnection.getOrDefault(connection, List.of())) {
      if (each.filters().stream().anyMatch(filter -> filter.matches(event))) {
        found.add(each);
      }
    }
    return found;
  }

  /**
   * The filters that are registered under the values of one field, such as authors; a doubly linked
   * list for each value, so that adding and removing a filter takes constant time.
   */
  private static final class FilterLists<K> {
    private final Map<K, FilterList> lists = new HashMap<>();

    /** Adds a filter under the values, and its entries to the subscription. */
    void add(Set<K> values, IndexedSubscription subscription, Filter filter) {
      for (K value : values) {
        FilterList list = lists.computeIfAbsent(value, v -> new FilterList(lists, v));
        subscription.lastEntry = new Entry(list, subscription, filter);
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

  private static final class Entry {
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
      this.earlier = subscription.lastEntry;
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
}
