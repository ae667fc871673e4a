package gambit.core.live;

import gambit.core.live.SubscriptionIndex.Member;
import gambit.core.model.Filter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filters that wait under each value of one kind of condition, in doubly linked lists: they
 * come and go at the same cost however many there are. The live lane's only.
 */
final class FilterLists<K> {
  private final Map<K, Head> heads = new HashMap<>();

  private static final class Head {
    private final Map<?, Head> heads;
    private final Object value;
    private @Nullable Place first;
    private int size;
    private long askedIn; // the last round in which it was asked

    Head(Map<?, Head> heads, Object value) {
      this.heads = heads;
      this.value = value;
    }
  }

  /** A filter in one of the lists. */
  static final class Place {
    private final Head head;
    private final Member member;
    private final Filter filter;
    private @Nullable Place previous;
    private @Nullable Place next;

    private Place(Head head, Member member, Filter filter) {
      this.head = head;
      this.member = member;
      this.filter = filter;
      this.next = head.first;
      if (next != null) {
        next.previous = this;
      }
      head.first = this;
      head.size++;
    }

    Member member() {
      return member;
    }

    Filter filter() {
      return filter;
    }

    @Nullable Place next() {
      return next;
    }

    /** Takes the filter out of the list. Once only. */
    void leave() {
      if (next != null) {
        next.previous = previous;
      }
      if (previous != null) {
        previous.next = next;
      } else {
        head.first = next;
      }
      head.size--;
      if (head.size == 0) {
        head.heads.remove(head.value);
      }
    }
  }

  /** Puts a filter into the lists of the values and adds its places to those given. */
  void add(Set<K> values, Member member, Filter filter, List<Place> places) {
    for (K value : values) {
      Head head = heads.computeIfAbsent(value, v -> new Head(heads, v));
      places.add(new Place(head, member, filter));
    }
  }

  boolean isEmpty() {
    return heads.isEmpty();
  }

  /** The first filter that waits under a value; nothing when it was asked for in this round. */
  @Nullable Place first(K value, long round) {
    Head head = heads.get(value);
    if (head == null || head.askedIn == round) {
      return null;
    }
    head.askedIn = round;
    return head.first;
  }

  /** How many filters wait under the values together. */
  long waiting(Set<K> values) {
    long sum = 0;
    for (K value : values) {
      Head head = heads.get(value);
      sum += head == null ? 0 : head.size;
    }
    return sum;
  }
}
