package gambit.core.live;

import gambit.core.feature.Outgoing;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The current states of all objects of one kind, ordered by their last change. The live lane's
 * only.
 *
 * <p>Memory: about 380 bytes for each object with a key of 64 characters, plus its supplier, or its
 * event once a client has requested it. The cost of a change is proportional to the number of
 * objects about the same keys.
 */
final class CurrentStates {
  /** The most states that are candidates for one filter. */
  static final int MAX_CANDIDATES = 500;

  private final Map<String, CurrentState> byKey = new HashMap<>();
  private final Map<PubKey, List<CurrentState>> about =
      new HashMap<>(); // seldom more than one each
  private @Nullable CurrentState newest;
  private @Nullable List<CurrentState> newestStates; // cached until the next change

  /**
   * Replaces the current state of an object.
   *
   * @param order grows with each change of any object
   */
  CurrentState change(Outgoing.Current current, long order) {
    remove(current.key());
    CurrentState state = new CurrentState(current, order);
    if (!current.ends()) {
      add(state);
    }
    return state;
  }

  /** Forgets an object. */
  void remove(String key) {
    newestStates = null;
    CurrentState state = byKey.remove(key);
    if (state != null) {
      remove(state);
    }
  }

  private void add(CurrentState state) {
    byKey.put(state.key, state);
    state.older = newest;
    if (newest != null) {
      newest.newer = state;
    }
    newest = state;
    for (PubKey key : state.about) {
      about.merge(key, List.of(state), (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
    }
  }

  private void remove(CurrentState state) {
    if (state.newer == null) {
      newest = state.older;
    } else {
      state.newer.older = state.older;
    }
    if (state.older != null) {
      state.older.newer = state.newer;
    }
    for (PubKey key : state.about) {
      about.computeIfPresent(
          key,
          (same, all) -> {
            List<CurrentState> others = all.stream().filter(it -> it != state).toList();
            return others.isEmpty() ? null : others;
          });
    }
  }

  boolean isEmpty() {
    return byKey.isEmpty() && about.isEmpty() && newest == null;
  }

  /**
   * The states that may match the filter, newest first: those that its {@code #d} names; else those
   * about the keys in its {@code #p}; else the newest ones, so that older states are found by
   * {@code #d} or {@code #p} only.
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
          Stream.iterate(newest, Objects::nonNull, it -> it.older).limit(MAX_CANDIDATES).toList();
    }
    return newestStates;
  }

  /** The newest of the states, without duplicates. */
  static List<CurrentState> newestOf(Stream<CurrentState> states) {
    return states
        .distinct()
        .sorted(Comparator.<CurrentState>comparingLong(it -> it.order).reversed())
        .limit(MAX_CANDIDATES)
        .toList();
  }
}
