package gambit.core.live;

import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which subscriptions want an event, without looking at the others. Each filter waits under the
 * values of one of its conditions, and an event asks those that wait under its own values: its id,
 * its author, its tags, its kind. The condition is the one with the least to ask when the filter
 * comes; kinds are the last resort, and a filter without any condition is asked every time.
 *
 * <p>The live lane's only. Bounded by the bounds on subscriptions and filter values; about 100
 * bytes a value.
 */
final class SubscriptionIndex {
  /** Up to so many tags are gone through for a filter sooner than looked up. */
  private static final int FEW_TAGS = 16;

  private final Map<ClientConnection, Map<Subscriber, Member>> members = new HashMap<>();
  private final FilterLists<EventId> byId = new FilterLists<>();
  private final FilterLists<PubKey> byAuthor = new FilterLists<>();
  private final Map<Character, FilterLists<String>> byTag = new HashMap<>();
  private final FilterLists<Integer> byKind = new FilterLists<>();
  private final FilterLists<Boolean> others = new FilterLists<>();
  private final Map<Integer, Integer> named = new HashMap<>(); // filters that name a kind
  private int open; // filters that name neither kinds nor ids
  private int size;
  private @Nullable TagValues tagValues; // of the event that asks, if it has many
  private long rounds; // events that have asked; one that repeats a tag asks once

  /** A subscription, and where its filters wait. */
  static final class Member {
    private final Subscriber subscription;
    private final List<FilterLists.Place> places = new ArrayList<>();
    private long foundIn; // the last round in which it was found

    Member(Subscriber subscription) {
      this.subscription = subscription;
    }
  }

  void add(Subscriber subscription) {
    Map<Subscriber, Member> own =
        members.computeIfAbsent(subscription.connection(), c -> new LinkedHashMap<>(2));
    if (own.containsKey(subscription)) {
      return;
    }
    Member member = new Member(subscription);
    own.put(subscription, member);
    size++;
    for (Filter filter : subscription.filters()) {
      if (!filter.isImpossible()) {
        add(member, filter);
        count(filter, 1);
      }
    }
  }

  private void add(Member member, Filter filter) {
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
      best = new Condition<>(others, Set.of(true));
    }
    best.await(member, filter);
  }

  private void count(Filter filter, int more) {
    if (filter.kinds() != null) {
      filter.kinds().forEach(kind -> named.merge(kind, more, (a, b) -> a + b == 0 ? null : a + b));
    } else if (filter.ids() == null) {
      open += more;
    }
  }

  /**
   * Whether any subscription may want an event of that kind whose id nobody can know: one that
   * names the kind, or no kinds and no ids.
   */
  boolean mayWant(int kind) {
    return open > 0 || named.containsKey(kind);
  }

  /** One of a filter's conditions: the values of which an event must have one. */
  private record Condition<K>(FilterLists<K> lists, Set<K> values) {

    static Condition<?> cheaper(@Nullable Condition<?> a, Condition<?> b) {
      return a == null || b.cost() < a.cost() ? b : a;
    }

    private long cost() {
      return values.size() + lists.waiting(values);
    }

    void await(Member member, Filter filter) {
      lists.add(values, member, filter, member.places);
    }
  }

  void remove(Subscriber subscription) {
    Map<Subscriber, Member> own = members.get(subscription.connection());
    Member member = own == null ? null : own.remove(subscription);
    if (own == null || member == null) {
      return;
    }
    size--;
    member.places.forEach(FilterLists.Place::leave);
    for (Filter filter : subscription.filters()) {
      if (!filter.isImpossible()) {
        count(filter, -1);
      }
    }
    if (own.isEmpty()) {
      members.remove(subscription.connection());
    }
  }

  int size() {
    return size;
  }

  /** Whether nothing is left of any subscription. */
  boolean isEmpty() {
    return members.isEmpty()
        && named.isEmpty()
        && open == 0
        && Stream.concat(Stream.of(byId, byAuthor, byKind, others), byTag.values().stream())
            .allMatch(FilterLists::isEmpty);
  }

  /** Every subscription that the event matches. */
  List<Subscriber> matching(Event event) {
    List<Subscriber> found = new ArrayList<>();
    rounds++;
    tagValues = null;
    ask(byId.first(event.id(), rounds), event, found);
    ask(byAuthor.first(event.pubkey(), rounds), event, found);
    ask(byKind.first(event.kind(), rounds), event, found);
    ask(others.first(true, rounds), event, found);
    if (!byTag.isEmpty()) {
      for (List<String> tag : event.tags().list()) {
        FilterLists<String> lists =
            tag.size() > 1 && tag.get(0).length() == 1 ? byTag.get(tag.get(0).charAt(0)) : null;
        if (lists != null) {
          ask(lists.first(tag.get(1), rounds), event, found);
        }
      }
    }
    return found;
  }

  private void ask(FilterLists.@Nullable Place first, Event event, List<Subscriber> found) {
    for (FilterLists.Place place = first; place != null; place = place.next()) {
      Member member = place.member();
      if (member.foundIn != rounds && matches(place.filter(), event)) {
        member.foundIn = rounds;
        found.add(member.subscription);
      }
    }
  }

  private boolean matches(Filter filter, Event event) {
    if (event.tags().size() <= FEW_TAGS) {
      return filter.matches(event);
    }
    if (!filter.matchesIgnoringTags(event)) {
      return false;
    }
    if (tagValues == null) {
      tagValues = new TagValues(event);
    }
    return tagValues.meet(filter);
  }

  /** The subscriptions of one connection that the event matches. */
  List<Subscriber> matching(Event event, ClientConnection connection) {
    return members.getOrDefault(connection, Map.of()).keySet().stream()
        .filter(it -> it.filters().stream().anyMatch(filter -> filter.matches(event)))
        .toList();
  }
}
