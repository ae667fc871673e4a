package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.StoredEvent;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Keeps the events of some kinds by following the changes of a store. */
final class ChangesFollower {
  private final Random random;
  private final KindSet kinds;
  private final Map<Long, StoredEvent> followed = new TreeMap<>();
  private long upTo;

  ChangesFollower(Random random) {
    this.random = random;
    this.kinds = random.nextBoolean() ? KindSet.ALL : KindSet.parse("0-999+20000-40000");
  }

  /**
   * Follows the changes to their end; asserts that the followed events that are still stored are
   * those of the store's model.
   */
  void assertFollows(EventStore store, List<StoredEvent> model) {
    Changes changes = store.changes(upTo, kinds, 1 + random.nextInt(5));
    while (changes.upTo() > upTo) {
      changes.added().forEach(stored -> followed.put(stored.offset(), stored));
      changes.removed().forEach(followed::remove);
      upTo = changes.upTo();
      changes = store.changes(upTo, kinds, 1 + random.nextInt(5));
    }
    assertThat(changes.added()).isEmpty();
    assertThat(upTo).isLessThanOrEqualTo(store.lastOffset());
    followed.keySet().removeIf(offset -> store.byOffset(offset).isEmpty());
    assertThat(followed.values())
        .containsExactlyInAnyOrderElementsOf(
            model.stream().filter(stored -> kinds.contains(stored.event().kind())).toList());
  }
}
