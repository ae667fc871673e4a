package gambit.core.store.disk.query;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.StoreDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Queries of many authors or tags find what a filtered list contains, while entries are read in
 * advance, one plan takes the place of another, and commits add and remove events between pages.
 */
class LargeMergesTest {
  private static final int AUTHORS = 60;
  private static final int HASHTAGS = 12;
  private static final int EVENTS = 1_500;

  @Property(tries = 4)
  void pagesAreThoseOfAFilteredList(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    StoreDirectory directory = new StoreDirectory();
    try (DiskEventStore store = directory.open()) {
      List<StoredEvent> model = new ArrayList<>();
      int time = 0;
      while (model.size() < EVENTS) {
        time += random.nextInt(3);
        append(store, model, 1 + random.nextInt(200), time, random);
      }
      for (int i = 0; i < 6; i++) {
        assertFindsAll(store, model, filter(random), random);
      }
      for (int i = 0; i < 6; i++) {
        model = assertFindsWhatRemains(store, model, filter(random), random);
      }
    } finally {
      directory.delete();
    }
  }

  private static void assertFindsAll(
      DiskEventStore store, List<StoredEvent> model, Filter filter, Random random) {
    Query query = store.query(filter, Long.MAX_VALUE);
    List<StoredEvent> found = new ArrayList<>();
    Page page;
    do {
      page = query.next(1 + random.nextInt(150), 1 + random.nextInt(40_000));
      found.addAll(page.found());
    } while (!page.isLast());
    assertThat(found).isEqualTo(matching(model, filter));
  }

  /** Returns the events that are stored in the end. */
  private static List<StoredEvent> assertFindsWhatRemains(
      DiskEventStore store, List<StoredEvent> model, Filter filter, Random random)
      throws IOException {
    Query query = store.query(filter, store.lastOffset());
    List<StoredEvent> expected = matching(model, filter);
    List<StoredEvent> now = new ArrayList<>(model);
    List<StoredEvent> found = new ArrayList<>();
    Page page;
    do {
      page = query.next(1 + random.nextInt(100), Integer.MAX_VALUE);
      found.addAll(page.found());
      if (random.nextBoolean()) {
        Set<StoredEvent> removed = removeSome(store, now, random);
        now.removeAll(removed);
        removed.removeAll(found); // those that were found in time
        expected.removeAll(removed);
        append(store, now, 10, random.nextInt(30), random);
      }
    } while (!page.isLast());
    assertThat(found).isEqualTo(expected);
    return now;
  }

  private static Set<StoredEvent> removeSome(
      DiskEventStore store, List<StoredEvent> stored, Random random) throws IOException {
    Set<StoredEvent> removed = new HashSet<>();
    try (Transaction transaction = store.begin()) {
      for (int i = random.nextInt(20); i >= 0; i--) {
        StoredEvent one = stored.get(random.nextInt(stored.size()));
        if (removed.add(one)) {
          transaction.remove(one, Removal.OBSOLETE);
        }
      }
      transaction.commit();
    }
    return removed;
  }

  /** Adds events of a few authors, of which another filter may want all, some or none. */
  private static void append(
      DiskEventStore store, List<StoredEvent> model, int count, int time, Random random)
      throws IOException {
    int firstAuthor = random.nextInt(AUTHORS);
    int authors = 1 + random.nextInt(AUTHORS);
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < count; i++) {
        Event event =
            EventEncoder.encode(
                new EventId(bytes(32, random)),
                author((firstAuthor + random.nextInt(authors)) % AUTHORS),
                time + random.nextInt(2),
                random.nextInt(6),
                tags(random),
                "",
                bytes(64, random));
        long offset = transaction.append(event, Transaction.NEVER);
        model.add(new StoredEvent(offset, event, Transaction.NEVER));
      }
      transaction.commit();
    }
  }

  private static Tags tags(Random random) {
    return new Tags(
        random
            .ints(random.nextInt(3), 0, HASHTAGS)
            .mapToObj(number -> List.of("t", "" + number))
            .toList());
  }

  private static Filter filter(Random random) {
    int first = random.nextInt(AUTHORS);
    Set<PubKey> authors =
        IntStream.range(0, 20 + random.nextInt(AUTHORS - 20))
            .mapToObj(i -> author((first + i) % AUTHORS))
            .collect(Collectors.toSet());
    Set<Integer> kinds =
        random.nextBoolean()
            ? null
            : random.ints(1 + random.nextInt(6), 0, 8).boxed().collect(Collectors.toSet());
    Set<String> values =
        random
            .ints(1 + random.nextInt(10), 0, HASHTAGS)
            .mapToObj(Integer::toString)
            .collect(Collectors.toSet());
    boolean isTagged = random.nextInt(3) == 0;
    return new Filter(
        null,
        isTagged && random.nextBoolean() ? null : authors,
        kinds,
        isTagged ? Map.of('t', values) : Map.of(),
        random.nextInt(4) > 0 ? null : 2L,
        random.nextInt(4) > 0 ? null : 15L,
        null);
  }

  private static List<StoredEvent> matching(List<StoredEvent> model, Filter filter) {
    return model.stream()
        .filter(it -> filter.matches(it.event()))
        .sorted(StoredEvent.SERVING_ORDER)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static PubKey author(int number) {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) number;
    return new PubKey(bytes);
  }

  private static byte[] bytes(int count, Random random) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
