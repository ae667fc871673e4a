package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.negentropy.ItemSet;
import gambit.core.negentropy.ListItemSet;
import gambit.core.negentropy.Position;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Tests of the contract of {@link EventStore}. The test of a store extends this class and creates
 * the store.
 */
public abstract class EventStoreContract {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final byte[] KEY = {1, 2, 3};

  /** Opens an empty store. */
  protected abstract EventStore openEmpty() throws IOException;

  /**
   * Returns the store after an operation that must not lose anything: the same store, or reopened,
   * or reclaimed.
   */
  protected EventStore disturbed(EventStore store, Random random) throws IOException {
    return store;
  }

  @Property(tries = 10)
  void queryReturnsTheEventsThatAFilteredListContains(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    EventStore store = openEmpty();
    try {
      List<StoredEvent> model = new ArrayList<>();
      ChangesFollower follower = new ChangesFollower(random);
      for (int i = 0; i < 40; i++) {
        List<StoredEvent> before = model;
        long removals = store.recentRemovals().count();
        model = changed(store, model, random);
        assertThat(store.recentRemovals().since(removals))
            .containsExactly(
                before.stream()
                    .filter(Predicate.not(model::contains))
                    .mapToLong(StoredEvent::offset)
                    .sorted()
                    .toArray());
        if (random.nextInt(8) == 0) {
          store = disturbed(store, random);
        }
        Filter filter = RandomEvents.filter(random, model);
        long upTo =
            model.isEmpty() || random.nextInt(3) > 0
                ? Long.MAX_VALUE
                : model.get(random.nextInt(model.size())).offset();
        assertThat(readPaged(store, filter, upTo, 1 + random.nextInt(5)))
            .isEqualTo(matching(model, filter, upTo));
        assertThat(store.size()).isEqualTo(model.size());
        assertItems(store, model, random);
        if (random.nextInt(4) == 0) {
          follower.assertFollows(store, model);
        }
      }
      follower.assertFollows(store, model);
    } finally {
      store.close();
    }
  }

  private static void assertItems(EventStore store, List<StoredEvent> model, Random random) {
    int kind = random.nextInt(8);
    ListItemSet expected =
        ListItemSet.of(
            model.stream()
                .map(StoredEvent::event)
                .filter(event -> event.kind() != kind)
                .map(event -> new Position(event.createdAt(), event.id()))
                .toList());
    Position from = Position.at(random.nextInt(4));
    Position to = Position.at(2 + random.nextInt(8));
    try (StoreSnapshot snapshot = store.snapshot()) {
      ItemSet items = snapshot.items(it -> it != kind);
      assertThat(items.sum(from, to)).isEqualTo(expected.sum(from, to));
      assertThat(items.items(from, to, 5)).isEqualTo(expected.items(from, to, 5));
      assertThat(items.sum(Position.START, Position.INFINITY).count()).isEqualTo(expected.size());
      assertThat(snapshot.expired(25, 1000))
          .containsExactlyInAnyOrderElementsOf(
              model.stream().filter(it -> it.expiresAt() <= 25).toList());
    }
  }

  /**
   * Applies random changes in one transaction, which is committed or not, and returns the new
   * model.
   */
  private static List<StoredEvent> changed(EventStore store, List<StoredEvent> model, Random random)
      throws IOException {
    List<StoredEvent> changed = new ArrayList<>(model);
    try (Transaction transaction = store.begin()) {
      for (int j = random.nextInt(4); j >= 0; j--) {
        Event event = RandomEvents.event(random);
        boolean known = changed.stream().anyMatch(it -> it.event().equals(event));
        assertThat(transaction.byId(event.id()).isPresent()).isEqualTo(known);
        if (!known && atAddress(changed, event).isEmpty()) {
          long expiresAt = random.nextInt(3) == 0 ? random.nextInt(50) : Transaction.NEVER;
          changed.add(new StoredEvent(transaction.append(event, expiresAt), event, expiresAt));
        }
        Address.of(event)
            .ifPresent(
                address ->
                    assertThat(transaction.byAddress(address).stream().toList())
                        .isEqualTo(atAddress(changed, event)));
        if (random.nextInt(4) == 0 && !changed.isEmpty()) {
          Removal why = random.nextBoolean() ? Removal.ERASED : Removal.OBSOLETE;
          transaction.remove(changed.remove(random.nextInt(changed.size())), why);
        }
      }
      Filter filter = RandomEvents.filter(random, changed);
      assertThat(transaction.find(filter, 3))
          .isEqualTo(matching(changed, filter, Long.MAX_VALUE).stream().limit(3).toList());
      assertThat(transaction.expired(25, 1000))
          .containsExactlyInAnyOrderElementsOf(
              changed.stream().filter(it -> it.expiresAt() <= 25).toList());
      List<StoredEvent> backwards =
          changed.stream().sorted(StoredEvent.SERVING_ORDER.reversed()).limit(6).toList();
      List<StoredEvent> oldest = new ArrayList<>(transaction.oldest(3, null));
      if (!oldest.isEmpty()) {
        oldest.addAll(transaction.oldest(3, oldest.get(oldest.size() - 1)));
      }
      assertThat(oldest).doesNotHaveDuplicates();
      assertThat(oldest.stream().map(it -> it.event().createdAt()))
          .isEqualTo(backwards.stream().map(it -> it.event().createdAt()).toList());
      if (random.nextInt(5) == 0) {
        return model;
      }
      transaction.commit();
      return changed;
    }
  }

  private static List<StoredEvent> atAddress(List<StoredEvent> model, Event event) {
    return Address.of(event).stream()
        .flatMap(
            address ->
                model.stream()
                    .filter(it -> Address.of(it.event()).filter(address::equals).isPresent()))
        .toList();
  }

  private static List<StoredEvent> matching(List<StoredEvent> model, Filter filter, long upTo) {
    return model.stream()
        .filter(it -> it.offset() <= upTo && filter.matches(it.event()))
        .sorted(StoredEvent.SERVING_ORDER)
        .toList();
  }

  /** All events of a query, read in pages of that size. */
  protected static List<StoredEvent> readPaged(
      EventStore store, Filter filter, long upTo, int pageSize) {
    List<StoredEvent> all = new ArrayList<>();
    Query query = store.query(filter, upTo);
    Page page;
    do {
      page = query.next(pageSize, Integer.MAX_VALUE);
      assertThat(page.found()).hasSizeLessThanOrEqualTo(pageSize);
      all.addAll(page.found());
    } while (!page.isLast());
    return all;
  }

  @Test
  void changesAreVisibleOutsideTheirTransactionOnlyAfterCommit() throws IOException {
    try (EventStore store = openEmpty()) {
      Event event = ALICE.sign(1, 1, Tags.NONE, "");
      try (Transaction transaction = store.begin()) {
        transaction.append(event, Transaction.NEVER);
        transaction.putRow("table", KEY, KEY);
        assertThat(transaction.byId(event.id())).isPresent();
        assertThat(transaction.row("table", KEY)).contains(KEY);
        assertThat(store.contains(event.id())).isFalse();
        assertThat(store.lastOffset()).isZero();
        assertThat(store.rows("table")).isEmpty();
      }
      assertThat(store.contains(event.id())).isFalse();
      long offset;
      try (Transaction transaction = store.begin()) {
        assertThat(transaction.byId(event.id())).isEmpty();
        assertThat(transaction.row("table", KEY)).isEmpty();
        offset = transaction.append(event, Transaction.NEVER);
        transaction.commit();
      }
      assertThat(store.contains(event.id())).isTrue();
      assertThat(store.lastOffset()).isGreaterThanOrEqualTo(offset);
    }
  }

  @Test
  void offsetsGrowAndLastOffsetSeparatesCommits() throws IOException {
    try (EventStore store = openEmpty()) {
      long last = 0;
      for (int i = 0; i < 20; i++) {
        try (Transaction transaction = store.begin()) {
          for (int j = 0; j < 3; j++) {
            long offset =
                transaction.append(ALICE.sign(i, 1, Tags.NONE, "" + j), Transaction.NEVER);
            assertThat(offset).isGreaterThan(last);
            last = Math.max(last, offset);
          }
          assertThat(store.lastOffset()).isLessThan(last);
          transaction.commit();
        }
        assertThat(store.lastOffset()).isGreaterThanOrEqualTo(last);
        last = store.lastOffset();
      }
    }
  }

  @Test
  void queryContinuesAfterItsLastEventWhileEventsAreAddedAndRemoved() throws IOException {
    try (EventStore store = openEmpty()) {
      List<StoredEvent> events = new ArrayList<>();
      try (Transaction transaction = store.begin()) {
        for (int i = 0; i < 10; i++) {
          Event event = ALICE.sign(i, 1, Tags.NONE, "");
          events.add(
              new StoredEvent(
                  transaction.append(event, Transaction.NEVER), event, Transaction.NEVER));
        }
        transaction.commit();
      }
      Query query = store.query(everything(), store.lastOffset());
      assertThat(query.next(3, Integer.MAX_VALUE).found())
          .containsExactly(events.get(9), events.get(8), events.get(7));
      try (Transaction transaction = store.begin()) {
        transaction.remove(events.get(6), Removal.OBSOLETE);
        transaction.remove(events.get(7), Removal.OBSOLETE);
        transaction.append(ALICE.sign(4, 1, Tags.NONE, "new"), Transaction.NEVER);
        transaction.commit();
      }
      List<StoredEvent> rest = new ArrayList<>();
      Page page;
      do {
        page = query.next(2, Integer.MAX_VALUE);
        rest.addAll(page.found());
      } while (!page.isLast());
      assertThat(rest)
          .containsExactlyElementsOf(
              IntStream.iterate(5, i -> i >= 0, i -> i - 1).mapToObj(events::get).toList());
    }
  }

  @Test
  void removalOfAnEventOfTheSameCommitIsNotAmongTheRecentOnes() throws IOException {
    try (EventStore store = openEmpty()) {
      try (Transaction transaction = store.begin()) {
        Event event = ALICE.sign(1, 1, Tags.NONE, "");
        transaction.append(event, Transaction.NEVER);
        transaction.remove(transaction.byId(event.id()).orElseThrow(), Removal.OBSOLETE);
        transaction.commit();
      }
      assertThat(store.recentRemovals().count()).isZero();
    }
  }

  @Test
  void eventRemovedBetweenTwoPagesIsNotFoundById() throws IOException {
    try (EventStore store = openEmpty()) {
      Event newer = ALICE.sign(2, 1, Tags.NONE, "");
      Event older = ALICE.sign(1, 1, Tags.NONE, "");
      try (Transaction transaction = store.begin()) {
        transaction.append(newer, Transaction.NEVER);
        transaction.append(older, Transaction.NEVER);
        transaction.commit();
      }
      Filter both =
          new Filter(Set.of(newer.id(), older.id()), null, null, Map.of(), null, null, null);
      Query query = store.query(both, Long.MAX_VALUE);
      assertThat(query.next(1, Integer.MAX_VALUE).found()).hasSize(1);
      try (Transaction transaction = store.begin()) {
        transaction.remove(transaction.byId(older.id()).orElseThrow(), Removal.ERASED);
        transaction.commit();
      }
      assertThat(query.next(1, Integer.MAX_VALUE).found()).isEmpty();
    }
  }

  @Test
  void pageEndsWithTheEventThatReachesItsByteLimit() throws IOException {
    try (EventStore store = openEmpty()) {
      List<Event> events = new ArrayList<>();
      try (Transaction transaction = store.begin()) {
        for (int i = 0; i < 10; i++) {
          events.add(ALICE.sign(i, 1, Tags.NONE, "x".repeat(1000)));
          transaction.append(events.get(i), Transaction.NEVER);
        }
        transaction.commit();
      }
      Filter byIds =
          new Filter(
              events.stream().map(Event::id).collect(Collectors.toSet()),
              null,
              null,
              Map.of(),
              null,
              null,
              null);
      for (Filter filter : List.of(everything(), byIds)) {
        Query query = store.query(filter, Long.MAX_VALUE);
        assertThat(query.next(100, 2000).found()).hasSize(2);
        assertThat(query.next(100, 1).found()).hasSize(1);
        assertThat(query.next(100, 1_000_000).found()).hasSize(7);
      }
    }
  }

  private static Filter everything() {
    return new Filter(null, null, null, Map.of(), null, null, null);
  }

  @Test
  void kindsAbove32767AreFoundByTagAndByManyAuthors() throws IOException {
    try (EventStore store = openEmpty()) {
      Tags tagged = new Tags(List.of(List.of("t", "x")));
      Set<PubKey> authors = new HashSet<>();
      Set<Integer> kinds = new HashSet<>();
      for (int i = 0; i < 10; i++) { // too many pairs to scan one by one
        authors.add(Keys.of("author " + i).pubkey());
        kinds.add(32_768 + i);
      }
      authors.add(ALICE.pubkey());
      kinds.add(65_535);
      try (Transaction transaction = store.begin()) {
        for (int kind : List.of(32_767, 32_768, 65_534, 65_535)) {
          transaction.append(ALICE.sign(kind, kind, tagged, ""), Transaction.NEVER);
        }
        transaction.commit();
      }
      Filter byTag = new Filter(null, null, kinds, Map.of('t', Set.of("x")), null, null, null);
      Filter byAuthors = new Filter(null, authors, kinds, Map.of(), null, null, null);
      for (Filter filter : List.of(byTag, byAuthors)) {
        assertThat(readPaged(store, filter, Long.MAX_VALUE, 5))
            .extracting(it -> it.event().kind())
            .containsExactly(65_535, 32_768);
      }
    }
  }

  @Test
  void eventWithFarExpirationIsNotExpiredEarlier() throws IOException {
    List<Long> times = List.of(1L << 31, (1L << 32) - 1, 1L << 32, (1L << 39) + 7);
    try (EventStore store = openEmpty();
        Transaction transaction = store.begin()) {
      for (long time : times) {
        transaction.append(ALICE.sign(1, 1, Tags.NONE, "" + time), time);
      }
      assertThat(transaction.expired((1L << 31) - 1, 10)).isEmpty();
      for (int i = 0; i < times.size(); i++) {
        assertThat(transaction.expired(times.get(i), 10))
            .extracting(StoredEvent::expiresAt)
            .containsExactlyInAnyOrderElementsOf(times.subList(0, i + 1));
      }
    }
  }

  @Test
  void rowsOfDifferentTablesAreSeparate() throws IOException {
    try (EventStore store = openEmpty()) {
      try (Transaction transaction = store.begin()) {
        transaction.putRow("games", KEY, new byte[] {1});
        transaction.putRow("games", KEY, new byte[] {2});
        transaction.putRow("games2", KEY, new byte[] {3});
        transaction.putRow("games", new byte[0], new byte[0]);
        transaction.putRow("gone", KEY, new byte[] {4});
        transaction.removeRow("gone", KEY);
        transaction.removeRow("never", KEY);
        transaction.commit();
      }
      assertThat(store.rows("games").keySet()).containsExactly("", HexFormat.of().formatHex(KEY));
      assertThat(store.rows("games").get("010203")).containsExactly(2);
      assertThat(store.rows("games2").get("010203")).containsExactly(3);
      assertThat(store.rows("gone")).isEmpty();
      assertThat(store.rows("game")).isEmpty();
      assertThat(store.row("games", KEY)).contains(new byte[] {2});
      assertThat(store.row("games", new byte[0])).contains(new byte[0]);
      assertThat(store.row("gone", KEY)).isEmpty();
      assertThat(store.row("game", KEY)).isEmpty();
    }
  }

  @Test
  void tooLongRowNamesAndTooLateTimesAreRefused() throws IOException {
    try (EventStore store = openEmpty();
        Transaction transaction = store.begin()) {
      transaction.putRow(
          "t".repeat(EventStore.MAX_TABLE_NAME_BYTES), new byte[EventStore.MAX_ROW_KEY_BYTES], KEY);
      assertThatThrownBy(
              () -> transaction.putRow("t", new byte[EventStore.MAX_ROW_KEY_BYTES + 1], KEY))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> transaction.putRow("t".repeat(33), KEY, KEY))
          .isInstanceOf(IllegalArgumentException.class);
      Event late = ALICE.sign(EventStore.TIMESTAMP_BOUND, 1, Tags.NONE, "");
      assertThatThrownBy(() -> transaction.append(late, Transaction.NEVER))
          .isInstanceOf(IllegalArgumentException.class);
      Event latest = ALICE.sign(EventStore.TIMESTAMP_BOUND - 1, 1, Tags.NONE, "");
      transaction.append(latest, Transaction.NEVER);
      assertThat(transaction.find(everything(), 2)).hasSize(1);
    }
  }

  @Test
  void storedEventsAreReturnedByteForByte() throws IOException {
    try (EventStore store = openEmpty()) {
      List<Event> events =
          List.of(
              ALICE.sign(0, 0, Tags.NONE, ""),
              ALICE.sign(1_700_000_000, 65_535, Tags.NONE, "\u0000\u001f\"\\\n\ud83d\ude00"),
              BOB.sign(
                  1,
                  30_000,
                  new Tags(List.of(List.of("d", "\u0001]\"[,"), List.of("e"), List.of("", ""))),
                  "x".repeat(100_000)));
      try (Transaction transaction = store.begin()) {
        events.forEach(event -> transaction.append(event, Transaction.NEVER));
        transaction.commit();
      }
      for (Event event : events) {
        Filter byId = new Filter(Set.of(event.id()), null, null, Map.of(), null, null, null);
        Event found =
            store.query(byId, Long.MAX_VALUE).next(1, Integer.MAX_VALUE).found().get(0).event();
        assertThat(found.json()).isEqualTo(event.json());
        assertThat(found.tags()).isEqualTo(event.tags());
        assertThat(found.content()).isEqualTo(event.content());
        assertThat(found.sig()).isEqualTo(event.sig());
      }
    }
  }
}
