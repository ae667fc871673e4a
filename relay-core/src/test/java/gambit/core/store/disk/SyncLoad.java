package gambit.core.store.disk;

import gambit.core.limit.LimitValues;
import gambit.core.model.EventId;
import gambit.core.negentropy.ListItemSet;
import gambit.core.negentropy.Position;
import gambit.core.store.StoreSnapshot;
import gambit.core.testkit.Client;
import gambit.core.testkit.SyncClient;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Measures whole syncs (NIP-77) of all events over a socket of a relay in this process, between
 * sets with ten differences, and equal ones.
 */
final class SyncLoad {
  private static final int DIFFERENCES_OF_A_SIDE = 5;
  private static final int RUNS = 5;

  private final DiskEventStore store;

  SyncLoad(DiskEventStore store) {
    this.store = store;
  }

  /** The rows of a table; closes the store. */
  List<String> measure() {
    List<Position> items;
    try (StoreSnapshot snapshot = store.snapshot()) {
      items =
          snapshot.items(kind -> true).items(Position.START, Position.INFINITY, Integer.MAX_VALUE);
    }
    List<String> rows = new ArrayList<>();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      rows.add(row("none", client, items, ListItemSet.of(items)));
      Random random = new Random(1);
      List<Position> own = new ArrayList<>(items);
      for (int i = 0; i < DIFFERENCES_OF_A_SIDE; i++) {
        Position removed = own.remove(random.nextInt(own.size()));
        byte[] id = new byte[32];
        random.nextBytes(id);
        own.add(new Position(removed.createdAt() + 1, new EventId(id)));
      }
      rows.add(row("" + 2 * DIFFERENCES_OF_A_SIDE, client, items, ListItemSet.of(own)));
    }
    return rows;
  }

  private static String row(
      String differences, Client client, List<Position> items, ListItemSet own) {
    double[] millis = new double[RUNS];
    SyncClient sync = null;
    for (int i = 0; i < RUNS; i++) {
      long start = System.nanoTime();
      sync = SyncClient.compare(client, "{}", own);
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    double first = millis[0];
    Arrays.sort(millis);
    return String.format(
        "| %,d | %s (found %d) | %.0f, first %.0f | %d | %,d |",
        items.size(),
        differences,
        sync.onlyHere().size() + sync.onlyThere().size(),
        millis[RUNS / 2],
        first,
        sync.messages(),
        sync.bytes());
  }
}
