package gambit.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The store in memory beside a list that is sorted and filtered. */
class MemoryEventStoreTest {
  private static final List<Signer> AUTHORS = List.of(Keys.of("alice"), Keys.of("bob"));

  @Property(tries = 60)
  void everyPageIsWhatAFilteredListShows(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    MemoryEventStore store = new MemoryEventStore(1 << 30);
    List<StoredEvent> model = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      try (Transaction transaction = store.begin()) {
        Event event = anyEvent(random);
        boolean known = model.stream().anyMatch(it -> it.event().equals(event));
        assertThat(transaction.byId(event.id()).isPresent()).isEqualTo(known);
        List<StoredEvent> changed = new ArrayList<>(model);
        if (!known) {
          changed.add(new StoredEvent(transaction.append(event), event));
        }
        if (random.nextInt(4) == 0 && !changed.isEmpty()) {
          transaction.remove(changed.remove(random.nextInt(changed.size())));
        }
        if (random.nextInt(5) > 0) {
          transaction.commit();
          model = changed;
        }
      }
      Filter filter = anyFilter(random, model);
      long upTo = random.nextInt(3) == 0 ? random.nextInt(60) : Long.MAX_VALUE;
      assertThat(readPaged(store, filter, upTo, 1 + random.nextInt(5)))
          .isEqualTo(
              model.stream()
                  .filter(it -> it.offset() <= upTo && filter.matches(it.event()))
                  .sorted(StoredEvent.SERVING_ORDER)
                  .toList());
      assertThat(store.size()).isEqualTo(model.size());
    }
  }

  @Test
  void whatATransactionDoesIsSeenByItselfAndByOthersOnlyAfterItsCommit() throws IOException {
    MemoryEventStore store = new MemoryEventStore(1 << 20);
    Event event = AUTHORS.get(0).sign(1, 1, Tags.NONE, "");
    try (Transaction transaction = store.begin()) {
      transaction.append(event);
      assertThat(transaction.byId(event.id())).isPresent();
      assertThat(store.contains(event.id())).isFalse();
      assertThat(store.lastOffset()).isZero();
    }
    assertThat(store.contains(event.id())).isFalse();
    try (Transaction transaction = store.begin()) {
      assertThat(transaction.byId(event.id())).isEmpty();
      transaction.append(event);
      transaction.commit();
    }
    assertThat(store.contains(event.id())).isTrue();
    assertThat(store.lastOffset()).isEqualTo(1);
  }

  @Test
  void roomIsGivenBackByWhatIsRemoved() throws IOException {
    Event event = AUTHORS.get(0).sign(1, 1, Tags.NONE, "x".repeat(1000));
    MemoryEventStore store = new MemoryEventStore(2L * event.json().length + 600);
    try (Transaction transaction = store.begin()) {
      assertThat(transaction.hasRoomFor(List.of(event), List.of(), true)).isTrue();
      long offset = transaction.append(event);
      assertThat(transaction.hasRoomFor(List.of(event), List.of(), true)).isFalse();
      transaction.remove(new StoredEvent(offset, event));
      assertThat(transaction.hasRoomFor(List.of(event), List.of(), true)).isTrue();
    }
  }

  private static List<StoredEvent> readPaged(
      EventStore store, Filter filter, long upTo, int pageSize) {
    List<StoredEvent> all = new ArrayList<>();
    StoredEvent after = null;
    do {
      Page page = store.page(filter, upTo, after, pageSize);
      assertThat(page.found()).hasSizeLessThanOrEqualTo(pageSize);
      all.addAll(page.found());
      after = page.next();
    } while (after != null);
    return all;
  }

  private static Event anyEvent(Random random) {
    Tags tags =
        random.nextBoolean()
            ? Tags.NONE
            : new Tags(List.of(List.of("t", "v" + random.nextInt(3)), List.of("e")));
    return AUTHORS
        .get(random.nextInt(AUTHORS.size()))
        .sign(random.nextInt(6), random.nextInt(3), tags, "" + random.nextInt(3));
  }

  private static Filter anyFilter(Random random, List<StoredEvent> model) {
    Set<EventId> ids =
        random.nextInt(4) > 0 || model.isEmpty()
            ? null
            : Set.of(model.get(random.nextInt(model.size())).event().id());
    Set<PubKey> authors =
        random.nextInt(3) > 0 ? null : Set.of(AUTHORS.get(random.nextInt(2)).pubkey());
    Set<Integer> kinds = random.nextInt(3) > 0 ? null : Set.of(random.nextInt(3), 7);
    Map<Character, Set<String>> tags =
        random.nextInt(3) > 0 ? Map.of() : Map.of('t', Set.of("v" + random.nextInt(3)));
    return new Filter(ids, authors, kinds, tags, anyTime(random), anyTime(random), null);
  }

  private static @Nullable Long anyTime(Random random) {
    return random.nextInt(3) > 0 ? null : (long) random.nextInt(6);
  }
}
