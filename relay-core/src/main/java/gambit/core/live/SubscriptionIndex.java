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
  /** Up to this number, searching the tags is cheaper than building {@link TagValues}. */
  private static final int MAX_SEARCHED_TAGS = 16;

  private final Map<Subscriber, IndexedSubscription> all = new HashMap<>();

  /** The first subscription of each connection. */
  private final Map<ClientConnection, IndexedSubscription> byConnection = new HashMap<>();

  private final FilterLists<EventId> byId = new FilterLists<>();
  private final FilterLists<PubKey> byAuthor = new FilterLists<>();
  private final Map<Character, FilterLists<String>> byTag = new HashMap<>();
  private final FilterLists<Integer> byKind = new FilterLists<>();
  private final FilterLists<Boolean> unconditional = new FilterLists<>();
  private final Map<Integer, Integer> countByKind = new HashMap<>(); // of filters that name a kind
  private int countOfAnyKind; // of filters that name neither kinds nor ids
  private @Nullable TagValues tagValues; // of the event being matched, if it has many tags
  private long round; // a number for each event matched, so that nothing is found twice

  static final class IndexedSubscription {
    private final Subscriber subscription;
    private FilterLists.@Nullable Entry lastEntry;
    private IndexedSubscription before = this; // in the ring of its connection's subscriptions
    private IndexedSubscription after = this;
    private long lastRound; // the last round in which it was found

    IndexedSubscription(Subscriber subscription) {
      this.subscription = subscription;
    }

    /** The entry that was added last, which refers to the one before. */
    FilterLists.@Nullable Entry lastEntry() {
      return lastEntry;
    }

    void add(FilterLists.Entry entry) {
      lastEntry = entry;
    }

    /** Joins the ring, as its last one. */
    private void join(IndexedSubscription first) {
      before = first.before;
      after = first;
      before.after = this;
      first.before = this;
    }

    /** The next one in the ring, which begins with the given one; null at its end. */
    private @Nullable IndexedSubscription nextBefore(@Nullable IndexedSubscription first) {
      return after == first ? null : after;
    }

    private void leaveRing() {
      before.after = after;
      after.before = before;
    }
  }

  void add(Subscriber subscription) {
    IndexedSubscription indexed = new IndexedSubscription(subscription);
    if (all.putIfAbsent(subscription, indexed) != null) {
      return;
    }
    IndexedSubscription first = byConnection.putIfAbsent(subscription.connection(), indexed);
    if (first != null) {
      indexed.join(first);
    }
    for (Filter filter : subscription.filters()) {
      if (!filter.isImpossible()) {
        add(indexed, filter);
        count(filter, 1);
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

  private void count(Filter filter, int more) {
    if (filter.kinds() != null) {
      filter
          .kinds()
          .forEach(kind -> countByKind.merge(kind, more, (a, b) -> a + b == 0 ? null : a + b));
    } else if (filter.ids() == null) {
      countOfAnyKind += more;
    }
  }

  /** Whether a filter names the kind, or neither kinds nor ids. */
  private boolean canMatchKind(int kind) {
    return countOfAnyKind > 0 || countByKind.containsKey(kind);
  }

  /**
   * Whether any subscription can match the event with a state, which is not built yet, with an id
   * that no client can know: whether a filter is registered under a value of the event, and admits
   * its kind.
   *
   * @param author of the event
   */
  boolean canMatch(Outgoing.Current current, PubKey author) {
    int kind = current.kind();
    if (!canMatchKind(kind)) {
      return false;
    }
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
    if (pubkeys == null || pubkeys.isEmpty()) {
      return false;
    }
    for (PubKey key : current.about()) {
      if (pubkeys.admits(key.hex(), kind)) {
        return true;
      }
    }
    return false;
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
    for (FilterLists.Entry each = indexed.lastEntry; each != null; each = each.earlier()) {
      each.remove();
    }
    for (Filter filter : subscription.filters()) {
      if (!filter.isImpossible()) {
        count(filter, -1);
      }
    }
    ClientConnection connection = subscription.connection();
    if (indexed.after == indexed) {
      byConnection.remove(connection);
    } else {
      byConnection.replace(connection, indexed, indexed.after);
      indexed.leaveRing();
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
        && countByKind.isEmpty()
        && countOfAnyKind == 0
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

  private void examine(FilterLists.@Nullable Entry first, Event event, List<Subscriber> found) {
    for (FilterLists.Entry entry = first; entry != null; entry = entry.next()) {
      IndexedSubscription indexed = entry.subscription();
      if (indexed.lastRound != round && matches(entry.filter(), event)) {
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
    if (tagValues == null) {
      tagValues = new TagValues(event);
    }
    return tagValues.match(filter);
  }

  List<Subscriber> matching(Event event, ClientConnection connection) {
    List<Subscriber> found = new ArrayList<>(1);
    IndexedSubscription first = byConnection.get(connection);
    for (IndexedSubscription each = first; each != null; each = each.nextBefore(first)) {
      if (each.subscription.filters().stream().anyMatch(filter -> filter.matches(event))) {
        found.add(each.subscription);
      }
    }
    return found;
  }

  /**
   * The values of an event's one-letter tags by letter, so that matching an event with thousands of
   * tags does not search them for each filter. Immutable.
   */
  private static final class TagValues {
    private final Map<Character, Set<String>> byLetter = new HashMap<>();

    TagValues(Event event) {
      for (List<String> tag : event.tags().list()) {
        if (tag.size() > 1 && tag.get(0).length() == 1) {
          byLetter.computeIfAbsent(tag.get(0).charAt(0), letter -> new HashSet<>()).add(tag.get(1));
        }
      }
    }

    boolean match(Filter filter) {
      for (Map.Entry<Character, Set<String>> wanted : filter.tags().entrySet()) {
        Set<String> there = byLetter.getOrDefault(wanted.getKey(), Set.of());
        if (Collections.disjoint(there, wanted.getValue())) {
          return false;
        }
      }
      return true;
    }
  }
}
