package gambit.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gambit.core.crypto.Signer;
import gambit.core.feature.Outgoing;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Compares the current states with a list of all states. */
class CurrentStatesTest {
  private static final Signer RELAY = Keys.of("relay");
  private static final List<PubKey> PEOPLE =
      Stream.of("a", "b", "c", "d").map(name -> Keys.of(name).pubkey()).toList();

  private final CurrentStates states = new CurrentStates();
  private final List<Outgoing.Current> model = new ArrayList<>(); // newest first

  private static String key(int number) {
    return "object " + number;
  }

  private static Outgoing.Current state(int number, Set<PubKey> about, boolean ends) {
    return new Outgoing.Current(
        key(number), 20_302, about, () -> RELAY.signLazily(1, 20_302, Tags.NONE, ""), ends);
  }

  private void change(Outgoing.Current current, long order) {
    states.change(current, order);
    model.removeIf(it -> it.key().equals(current.key()));
    if (!current.ends()) {
      model.add(0, current);
    }
  }

  private void remove(int number) {
    states.remove(key(number));
    model.removeIf(it -> it.key().equals(key(number)));
  }

  private static Filter filter(Map<Character, Set<String>> tags) {
    return new Filter(null, null, Set.of(20_302), tags, null, null, null);
  }

  private void assertFound(Map<Character, Set<String>> tags, Predicate<Outgoing.Current> wanted) {
    assertThat(states.candidates(filter(tags)).stream().map(it -> it.key))
        .isEqualTo(
            model.stream()
                .filter(wanted)
                .map(Outgoing.Current::key)
                .limit(CurrentStates.MAX_CANDIDATES)
                .toList());
  }

  @Test
  void aStateSharesItsKeyAndSubjectsWithTheOneBefore() {
    PubKey person = PEOPLE.get(0);
    CurrentState before = states.change(state(1, Set.of(person), false), 1);
    CurrentState state = states.change(state(1, Set.copyOf(List.of(person)), false), 2);
    assertThat(state.key).isSameAs(before.key);
    assertThat(state.about).isSameAs(before.about);
    assertThat(states.change(state(1, Set.of(PEOPLE.get(1)), false), 3).about)
        .containsExactly(PEOPLE.get(1));
  }

  @Property(tries = 100)
  void everyFilterFindsTheNewestMatchingStates(@ForAll long seed) {
    Random random = new Random(seed);
    CurrentStatesTest round = new CurrentStatesTest();
    for (int order = 0; order < 100; order++) {
      Set<PubKey> about =
          random.nextInt(5) == 0
              ? Set.of()
              : Set.copyOf(List.of(PEOPLE.get(random.nextInt(4)), PEOPLE.get(random.nextInt(4))));
      round.change(state(random.nextInt(12), about, random.nextInt(4) == 0), order);
      if (random.nextInt(10) == 0) {
        round.remove(random.nextInt(12));
      }
      PubKey person = PEOPLE.get(random.nextInt(4));
      PubKey other = PEOPLE.get(random.nextInt(4));
      String key = key(random.nextInt(12));
      String another = key(random.nextInt(12));
      round.assertFound(Map.of(), it -> true);
      round.assertFound(
          Map.of('p', Set.copyOf(List.of(person.hex(), other.hex(), "nobody"))),
          it -> it.about().contains(person) || it.about().contains(other));
      round.assertFound(
          Map.of('d', Set.copyOf(List.of(key, another, "nothing"))),
          it -> it.key().equals(key) || it.key().equals(another));
    }
    for (int number = 0; number < 12; number++) {
      round.change(state(number, Set.of(), true), 100 + number);
    }
    assertThat(round.states.isEmpty()).as("nothing is left").isTrue();
  }

  @Test
  void newestStatesAreFoundAndOlderOnesOnlyByTheirKeys() {
    for (int number = 0; number < 2 * CurrentStates.MAX_CANDIDATES; number++) {
      change(state(number, Set.of(PEOPLE.get(number == 0 ? 0 : 1)), false), number);
    }
    assertFound(Map.of(), it -> true);
    assertFound(Map.of('d', Set.of(key(0))), it -> it.key().equals(key(0)));
    PubKey first = PEOPLE.get(0);
    assertFound(Map.of('p', Set.of(first.hex())), it -> it.about().contains(first));
  }

  @Test
  void statesOfAnEarlierLeaderAreFoundUntilTheyAreForgottenUnlessTheNewOneHasConfirmedThem() {
    change(state(1, Set.of(), false), 1);
    change(state(2, Set.of(), false), 2);
    states.beginAgain();
    assertFound(Map.of(), it -> true);
    change(state(1, Set.of(), false), 3);
    assertThat(states.earlier(key(1))).isNull();
    assertThat(states.earlier(key(2))).isNotNull();
    assertFound(Map.of(), it -> true); // is kept until the next change
    states.removeEarlier();
    model.removeIf(it -> it.key().equals(key(2)));
    assertFound(Map.of(), it -> true);
  }

  @Test
  void changeOfAStateAllocatesLittleBesideTheState() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Outgoing.Current current = state(1, Set.of(PEOPLE.get(0), PEOPLE.get(1)), false);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) { // the first ones load classes
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1000; i++) {
        states.change(current, i);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least / 1000).as("bytes allocated for each change").isLessThanOrEqualTo(175);
  }
}
