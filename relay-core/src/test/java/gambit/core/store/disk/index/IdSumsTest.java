package gambit.core.store.disk.index;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.ItemSet;
import gambit.core.negentropy.ItemSet.Part;
import gambit.core.negentropy.ListItemSet;
import gambit.core.negentropy.Position;
import gambit.core.store.EventStore;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.store.disk.IndexCheck;
import gambit.core.store.disk.StoreDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sums of ids that the store keeps are those of the stored events, while blocks are split,
 * joined and removed.
 */
class IdSumsTest {
  private static final PubKey AUTHOR = new PubKey(new byte[32]);

  /** Also such that exceed a signed short. */
  private static final int[] KINDS = {1, 30_000, 32_768, 65_535};

  private final StoreDirectory directory = new StoreDirectory();
  private final Map<EventId, Event> model = new HashMap<>();

  IdSumsTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 40, 100_000})
  void sumsAreThoseOfTheStoredEvents(int distinctTimes) throws IOException {
    Random random = new Random(distinctTimes);
    EventStore store = open();
    try {
      for (int round = 0; round < 12; round++) {
        // Grows, then shrinks to less than a block.
        change(store, random, distinctTimes, round < 6 ? 700 : 20, round < 6 ? 90 : 640);
        if (round % 4 == 1) {
          store.close();
          if (round % 8 == 5) {
            directory.deleteIndex();
          }
          store = open();
        }
        compare(store, random, kind -> true);
        compare(store, random, kind -> kind == 1 || kind == 32_768);
        compare(store, random, kind -> false);
      }
    } finally {
      store.close();
    }
    assertThat(faults()).isEmpty();
  }

  private EventStore open() throws IOException {
    return directory.openWithLogIn(directory.log(), 1 << 20, 1_000);
  }

  private void change(EventStore store, Random random, int times, int added, int removed)
      throws IOException {
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < added; i++) {
        Event event = event(random.nextInt(times), KINDS[random.nextInt(KINDS.length)], random);
        transaction.append(event, Transaction.NEVER);
        model.put(event.id(), event);
      }
      List<EventId> ids = model.keySet().stream().sorted().toList();
      for (int i = 0; i < removed; i++) {
        EventId id = ids.get(random.nextInt(ids.size()));
        StoredEvent stored = transaction.byId(id).orElse(null);
        if (stored != null) {
          transaction.remove(stored, Removal.OBSOLETE);
          model.remove(id);
        }
      }
      transaction.commit();
    }
  }

  private static Event event(long createdAt, int kind, Random random) {
    byte[] id = new byte[32];
    random.nextBytes(id);
    return EventEncoder.encode(
        new EventId(id), AUTHOR, createdAt, kind, Tags.NONE, "", new byte[64]);
  }

  private void compare(EventStore store, Random random, IntPredicate kinds) {
    List<Position> items =
        model.values().stream()
            .filter(event -> kinds.test(event.kind()))
            .map(event -> new Position(event.createdAt(), event.id()))
            .sorted()
            .toList();
    ListItemSet expected = ListItemSet.of(items);
    try (StoreSnapshot snapshot = store.snapshot()) {
      ItemSet found = snapshot.items(kinds);
      assertSame(found, expected, Position.START, Position.INFINITY);
      for (int i = 0; i < 20; i++) {
        Position a = bound(items, random);
        Position b = bound(items, random);
        assertSame(found, expected, a.compareTo(b) < 0 ? a : b, a.compareTo(b) < 0 ? b : a);
      }
    }
  }

  /** A bound at an item, between two, or far beyond all. */
  private static Position bound(List<Position> items, Random random) {
    int at = items.isEmpty() ? 0 : random.nextInt(items.size());
    return switch (items.isEmpty() ? 0 : random.nextInt(4)) {
      case 0 -> random.nextBoolean() ? Position.START : Position.at(1L << 50);
      case 1 -> Position.at(items.get(at).createdAt());
      case 2 -> items.get(at);
      default -> at == 0 ? items.get(0) : Position.between(items.get(at - 1), items.get(at));
    };
  }

  private static void assertSame(ItemSet found, ItemSet expected, Position from, Position to) {
    IdSum sum = expected.sum(from, to);
    assertThat(found.sum(from, to)).isEqualTo(sum);
    assertThat(found.items(from, to, 37)).isEqualTo(expected.items(from, to, 37));
    if (sum.count() == 0) {
      return;
    }
    List<Part> parts = found.split(from, to, 16);
    assertThat(parts).hasSizeLessThanOrEqualTo(16);
    assertThat(sum.count() > 1 ? parts.size() : 2).isGreaterThan(1);
    Position lower = from;
    for (Part part : parts) {
      assertThat(part.sum()).isEqualTo(expected.sum(lower, part.upper()));
      assertThat(part.sum().count()).isBetween(1L, sum.count() / 16 + 2 * IdSumUpdate.MAX_EVENTS);
      lower = part.upper();
    }
    assertThat(lower).isEqualTo(to);
  }

  @Test
  void largeRangeIsSummedFromBlocks() throws IOException {
    Random random = new Random(1);
    try (EventStore store = open()) {
      for (int i = 0; i < 10; i++) {
        change(store, random, 100_000, 1_000, 0);
      }
      try (StoreSnapshot snapshot = store.snapshot()) {
        ItemSet all = snapshot.items(kind -> true);
        assertThat(all.sum(Position.at(70), Position.at(99_000)).count()).isGreaterThan(9_000);
        assertThat(snapshot.examined()).isLessThan(2L * IdSumUpdate.MAX_EVENTS + 100);
      }
    }
  }

  /** Blocks without events of the kind are not read, and full answers end the reading. */
  @Test
  void rareEventsAreListedAndSplitWithoutReadingTheOthers() throws IOException {
    Random random = new Random(1);
    try (EventStore store = open()) {
      for (int i = 0; i < 10; i++) {
        change(store, random, 100_000, 2_000, 0);
      }
      addOfKind(store, random, 30_078, 50_000);
      addOfKind(store, random, 30_079, LongStream.range(0, 100).map(i -> i * 1_000).toArray());
      long blocks = 2L * model.size() / IdSumUpdate.MAX_EVENTS;
      long oneBlock = IdSumUpdate.MAX_EVENTS;
      compare(store, random, kind -> kind == 30_078);
      compare(store, random, kind -> kind == 30_079);
      assertThat(examined(store, 30_078, set -> set.items(Position.START, Position.INFINITY, 100)))
          .isBetween(oneBlock / 4, blocks + oneBlock);
      assertThat(examined(store, 30_078, set -> set.split(Position.START, Position.INFINITY, 16)))
          .isBetween(1L, 2 * blocks + oneBlock);
      assertThat(examined(store, 30_079, set -> set.split(Position.START, Position.INFINITY, 16)))
          .isBetween(1L, 2 * blocks + 100);
      assertThat(examined(store, 30_079, set -> set.items(Position.START, Position.INFINITY, 5)))
          .isLessThan(7_000);
    }
  }

  private void addOfKind(EventStore store, Random random, int kind, long... times)
      throws IOException {
    try (Transaction transaction = store.begin()) {
      for (long time : times) {
        Event event = event(time, kind, random);
        transaction.append(event, Transaction.NEVER);
        model.put(event.id(), event);
      }
      transaction.commit();
    }
  }

  private static long examined(EventStore store, int kind, Consumer<ItemSet> use) {
    try (StoreSnapshot snapshot = store.snapshot()) {
      use.accept(snapshot.items(it -> it == kind));
      return snapshot.examined();
    }
  }

  @Test
  void eventThatIsAddedAndRemovedInOneCommitDoesNotCount() throws IOException {
    try (EventStore store = open()) {
      try (Transaction transaction = store.begin()) {
        Event event = event(5, 1, new Random(1));
        transaction.append(event, Transaction.NEVER);
        transaction.remove(transaction.byId(event.id()).orElseThrow(), Removal.ERASED);
        transaction.append(event, Transaction.NEVER);
        transaction.remove(transaction.byId(event.id()).orElseThrow(), Removal.ERASED);
        transaction.commit();
      }
      compare(store, new Random(1), kind -> true);
    }
  }

  @Test
  void wrongSumAndMissingSumsAreReportedByTheCheck() throws IOException {
    try (EventStore store = open()) {
      change(store, new Random(1), 1_000, 100, 0);
    }
    assertThat(faults()).isEmpty();
    ByteBuffer first = ByteBuffer.allocateDirect(37);
    try (Index index = new Index(directory.index(), null);
        IndexWriter writer = index.beginWriting()) {
      KindSums wrong = new KindSums();
      wrong.add(1, new EventId(new byte[32]));
      writer.put(Table.ID_SUM, first, wrong.value());
      writer.commit();
    }
    assertThat(faults())
        .containsExactly("the index has a wrong sum of the ids of events since 0 (table ID_SUM)");
    try (Index index = new Index(directory.index(), null);
        IndexWriter writer = index.beginWriting()) {
      writer.delete(Table.ID_SUM, first);
      writer.commit();
    }
    assertThat(faults()).containsExactly("the index has no sums of ids (table ID_SUM)");
  }

  /** Faults other than the signatures, which these events do not have. */
  private List<String> faults() throws IOException {
    List<String> faults = new ArrayList<>();
    try (Index index = new Index(directory.index(), null);
        IndexCheck check = new IndexCheck(index, faults::add)) {
      check.checkIdSums();
    }
    return faults;
  }
}
