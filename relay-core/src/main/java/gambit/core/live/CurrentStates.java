package gambit.core.live;

import gambit.core.feature.Outgoing;
import gambit.core.model.EventId;
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
 * How the things of one kind are now: of each the newest state, the thing that has changed last
 * first. The live lane's only.
 *
 * <p>About 220 bytes a thing, beside what makes its event and, if somebody has asked for it, that
 * event. A change costs as much as there are things about the same keys.
 */
final class CurrentStates {
  /** States that a filter is answered with at most, and that are looked at for it. */
  static final int MOST = 500;

  private final Map<EventId, CurrentState> byKey = new HashMap<>();
  private final Map<PubKey, List<CurrentState>> about = new HashMap<>(); // seldom more than one
  private @Nullable CurrentState newest;
  private @Nullable List<CurrentState> front; // the newest ones, if asked for since the last change

  /**
   * How something is from now on; the state before, if there is one, is over.
   *
   * @param order grows from each change of anything to the next
   */
  CurrentState change(Outgoing.Current current, long order) {
    front = null;
    CurrentState before = byKey.remove(current.key());
    if (before != null) {
      forget(before);
    }
    CurrentState state = new CurrentState(current, order);
    if (!current.ends()) {
      keep(state);
    }
    return state;
  }

  private void keep(CurrentState state) {
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

  private void forget(CurrentState state) {
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
   * The states among which those are that match the filter, newest first: what its {@code #d} names
   * in hex; else what is about one of its {@code #p}; else the newest, so that what lies further
   * back is found by its {@code #d} or {@code #p} only.
   */
  List<CurrentState> candidates(Filter filter) {
    Set<String> keys = filter.tags().get('d');
    if (keys != null) {
      return newestOf(hex(keys).map(EventId::ofHex).map(byKey::get).flatMap(Stream::ofNullable));
    }
    Set<String> people = filter.tags().get('p');
    if (people != null) {
      return newestOf(
          hex(people)
              .map(PubKey::ofHex)
              .flatMap(key -> about.getOrDefault(key, List.of()).stream()));
    }
    if (front == null) {
      front = Stream.iterate(newest, Objects::nonNull, it -> it.older).limit(MOST).toList();
    }
    return front;
  }

  private static Stream<String> hex(Set<String> values) {
    return values.stream().filter(value -> Hex.isLowerCase(value, 64));
  }

  /** The newest of some states, each once. */
  static List<CurrentState> newestOf(Stream<CurrentState> states) {
    return states
        .distinct()
        .sorted(Comparator.<CurrentState>comparingLong(it -> it.order).reversed())
        .limit(MOST)
        .toList();
  }
}
