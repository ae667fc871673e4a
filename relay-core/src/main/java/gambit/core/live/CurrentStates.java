package gambit.core.live;

import gambit.core.feature.Outgoing;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The current states of all objects of one kind, ordered by their last change. The live lane's
 * only.
 *
 * <p>Memory: about 470 bytes for each object with a key of 64 characters, plus its supplier, or its
 * event once a client has requested it. The cost of a change is proportional to the number of
 * objects about the same keys.
 */
final class CurrentStates {
  static final int MAX_CANDIDATES = 500;

  private final Map<String, CurrentState> byKey = new HashMap<>();
  private final Map<PubKey, List<CurrentState>> about =
      new HashMap<>(); // seldom more than one each
  private final Set<String> earlier = new HashSet<>(); // keys of states of an earlier leader
  private final SortedMap<Long, CurrentState> newestFirst =
      new TreeMap<>(Comparator.reverseOrder());
  private @Nullable List<CurrentState> newestStates; // cached until the next change

  /** Replaces the current state of an object. */
  CurrentState change(Outgoing.Current current, long order) {
    newestStates = null;
    earlier.remove(current.key());
    CurrentState before = byKey.get(current.key());
    CurrentState state = new CurrentState(current, before, order);
    if (current.ends()) {
      remove(current.key());
      return state;
    }
    byKey.put(state.key, state);
    if (before != null) {
      newestFirst.remove(before.order);
      for (PubKey key : before.about) {
        if (!state.about.contains(key)) {
          removeAbout(key, before);
        }
      }
    }
    newestFirst.put(order, state);
    for (PubKey key : state.about) {
      putAbout(key, before, state);
    }
    return state;
  }

  /** All states become those of an earlier leader. */
  void beginAgain() {
    earlier.addAll(byKey.keySet());
  }

  /** The state of an object if it is an earlier leader's, and nothing has changed it since. */
  @Nullable CurrentState earlier(String key) {
    return earlier.contains(key) ? byKey.get(key) : null;
  }

  /** Forgets the states of an earlier leader. */
  void removeEarlier() {
    List.copyOf(earlier).forEach(this::remove);
  }

  void remove(String key) {
    newestStates = null;
    earlier.remove(key);
    CurrentState state = byKey.remove(key);
    if (state != null) {
      newestFirst.remove(state.order);
      for (PubKey about : state.about) {
        removeAbout(about, state);
      }
    }
  }

  /** Adds a state about a key, in place of the state before if that was about it, too. */
  private void putAbout(PubKey key, @Nullable CurrentState before, CurrentState state) {
    List<CurrentState> all = about.computeIfAbsent(key, it -> new ArrayList<>(1));
    int replaced = before == null ? -1 : all.indexOf(before);
    if (replaced < 0) {
      all.add(state);
    } else {
      all.set(replaced, state);
    }
  }

  private void removeAbout(PubKey key, CurrentState state) {
    List<CurrentState> all = about.get(key);
    if (all != null && all.remove(state) && all.isEmpty()) {
      about.remove(key);
    }
  }

  boolean isEmpty() {
    return byKey.isEmpty() && about.isEmpty() && newestFirst.isEmpty();
  }

  /**
   * The states that may match the filter, newest first: those that its {@code #d} names; else those
   * about the keys in its {@code #p}; else the newest ones, so that older states, and those of
   * persons, are found by {@code #d} or {@code #p} only.
   */
  List<CurrentState> candidates(Filter filter) {
    Set<String> keys = filter.tags().get('d');
    if (keys != null) {
      return newestOf(keys.stream().map(byKey::get).flatMap(Stream::ofNullable));
    }
    Set<String> pubkeys = filter.tags().get('p');
    if (pubkeys != null) {
      return newestOf(
          pubkeys.stream()
              .filter(value -> Hex.isLowerCase(value, 64))
              .map(PubKey::ofHex)
              .flatMap(key -> about.getOrDefault(key, List.of()).stream()));
    }
    if (newestStates == null) {
      newestStates =
          newestFirst.values().stream()
              .takeWhile(it -> !it.isOfPerson) // all states of a kind are of persons, or none
              .limit(MAX_CANDIDATES)
              .toList();
    }
    return newestStates;
  }

  static List<CurrentState> newestOf(Stream<CurrentState> states) {
    return states
        .distinct()
        .sorted(Comparator.<CurrentState>comparingLong(it -> it.order).reversed())
        .limit(MAX_CANDIDATES)
        .toList();
  }
}
