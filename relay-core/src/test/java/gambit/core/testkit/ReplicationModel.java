package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.AppliedGroup;
import gambit.core.store.LogGroup;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a store has after random groups of changes, as a list of events and a map of rows. Immutable
 * but for the random numbers.
 *
 * @param rows values in hex by table and key
 * @param group the newest group
 * @param effect what a store that applies it must report
 */
public record ReplicationModel(
    List<StoredEvent> events, Map<String, String> rows, LogGroup group, Effect effect) {
  private static final List<String> TABLES = List.of("games", "vanished");
  private static final Filter EVERYTHING = new Filter(null, null, null, Map.of(), null, null, null);

  /** An {@link AppliedGroup} that can be compared, with the names of rows in order. */
  public record Effect(List<StoredEvent> added, List<String> rows) {
    public static Effect of(AppliedGroup group) {
      return new Effect(
          group.added(),
          group.rows().stream().map(row -> name(row.table(), row.key())).sorted().toList());
    }
  }

  /** An empty store. */
  public static ReplicationModel empty() {
    return of(List.of());
  }

  /** A store with events, and without rows of the tables of random groups. */
  public static ReplicationModel of(EventStore store) {
    return of(all(store));
  }

  private static ReplicationModel of(List<StoredEvent> events) {
    return new ReplicationModel(
        events, Map.of(), new LogGroup(0, 0, 0, new byte[0]), new Effect(List.of(), List.of()));
  }

  private static List<StoredEvent> all(EventStore store) {
    List<StoredEvent> found = new ArrayList<>();
    Query query = store.query(EVERYTHING, Long.MAX_VALUE);
    Page page;
    do {
      page = query.next(7, Integer.MAX_VALUE);
      found.addAll(page.found());
    } while (!page.isLast());
    return found;
  }

  private static String name(String table, byte[] key) {
    return table + "/" + HexFormat.of().formatHex(key);
  }

  /** Commits a random group, which may be empty, to a store that has the events and rows. */
  public ReplicationModel changed(EventStore store, Random random) throws IOException {
    List<StoredEvent> added = new ArrayList<>();
    TreeSet<String> changedRows = new TreeSet<>();
    List<StoredEvent> nowStored = new ArrayList<>(events);
    Map<String, String> nowRows = new TreeMap<>(rows);
    try (Transaction transaction = store.begin()) {
      for (int i = random.nextInt(6); i > 0; i--) {
        switch (random.nextInt(6)) {
          case 0, 1 -> add(transaction, nowStored, added, random);
          case 2 -> remove(transaction, nowStored, random);
          case 3 -> putRow(transaction, nowRows, changedRows, random);
          case 4 -> removeRow(transaction, nowRows, changedRows, random);
          default -> {
            if (random.nextInt(4) == 0) {
              transaction.eraseRemoved();
            }
          }
        }
      }
      assertThat(transaction.added()).isEqualTo(added.stream().map(StoredEvent::event).toList());
      LogGroup prepared = transaction.prepare();
      assertThat(store.logEnd().sequence()).isEqualTo(prepared.sequence() - 1);
      assertThat(store.logEnd().offset()).isEqualTo(prepared.offset());
      if (random.nextInt(8) == 0) {
        return this;
      }
      transaction.commit();
      return new ReplicationModel(
          nowStored, nowRows, prepared, new Effect(added, List.copyOf(changedRows)));
    }
  }

  private static void add(
      Transaction transaction, List<StoredEvent> stored, List<StoredEvent> added, Random random) {
    Event event = RandomEvents.event(random);
    if (stored.stream().anyMatch(it -> it.event().equals(event))) {
      return;
    }
    Address.of(event)
        .flatMap(transaction::byAddress)
        .ifPresent(
            older -> {
              transaction.remove(older, Removal.OBSOLETE);
              stored.remove(older);
            });
    long expiresAt = random.nextInt(3) == 0 ? random.nextInt(50) : Transaction.NEVER;
    StoredEvent now = new StoredEvent(transaction.append(event, expiresAt), event, expiresAt);
    stored.add(now);
    added.add(now);
  }

  private static void remove(Transaction transaction, List<StoredEvent> stored, Random random) {
    if (!stored.isEmpty()) {
      Removal why = random.nextBoolean() ? Removal.ERASED : Removal.OBSOLETE;
      transaction.remove(stored.remove(random.nextInt(stored.size())), why);
    }
  }

  private static void putRow(
      Transaction transaction, Map<String, String> rows, TreeSet<String> changed, Random random) {
    String table = TABLES.get(random.nextInt(TABLES.size()));
    byte[] key = {(byte) random.nextInt(4)};
    byte[] value = new byte[random.nextInt(200)];
    random.nextBytes(value);
    transaction.putRow(table, key, value);
    rows.put(name(table, key), HexFormat.of().formatHex(value));
    changed.add(name(table, key));
  }

  private static void removeRow(
      Transaction transaction, Map<String, String> rows, TreeSet<String> changed, Random random) {
    String table = TABLES.get(random.nextInt(TABLES.size()));
    byte[] key = {(byte) random.nextInt(4)};
    transaction.removeRow(table, key);
    if (rows.remove(name(table, key)) != null) {
      changed.add(name(table, key));
    }
  }

  /** Asserts that a store has the events and rows. */
  public void assertHeldBy(EventStore store) {
    assertThat(all(store))
        .containsExactlyElementsOf(events.stream().sorted(StoredEvent.SERVING_ORDER).toList());
    assertThat(store.size()).isEqualTo(events.size());
    for (StoredEvent stored : events) {
      assertThat(store.byOffset(stored.offset())).contains(stored);
    }
    Map<String, String> foundRows = new TreeMap<>();
    for (String table : TABLES) {
      store
          .rows(table)
          .forEach(
              (key, value) -> foundRows.put(table + "/" + key, HexFormat.of().formatHex(value)));
    }
    assertThat(foundRows).isEqualTo(rows);
  }
}
