package gambit.core.store.disk;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Groups of changes that depend only on the number of the group, so that two processes can compute
 * the content of a store after any number of them.
 */
public final class NumberedGroups {
  public static final String ROWS = "rows";
  public static final String LAST_NUMBER = "last";
  private static final byte[] NO_KEY = new byte[0];
  private static final byte[] NO_SIG = new byte[64];
  public static final List<PubKey> AUTHORS = Stream.of(1, 2, 3).map(n -> author(n)).toList();
  public static final List<Integer> KINDS = List.of(1, 1, 7, 10_000, 30_000);
  private static final int DISTINCT_TIMES = 50;
  public static final int DISTINCT_VALUES = 5;

  /** The events of a group are removed after this number of further groups. */
  public static final int GROUPS_KEPT = 120;

  private NumberedGroups() {}

  private static PubKey author(int number) {
    return new PubKey(ByteBuffer.allocate(32).put((byte) number).array());
  }

  /** The number of groups in the store; they are committed in the order of their numbers. */
  public static long count(EventStore store) {
    byte[] last = store.rows(LAST_NUMBER).get("");
    return last == null ? 0 : ByteBuffer.wrap(last).getLong();
  }

  /** Commits the group with that number. */
  public static void commit(EventStore store, long number) throws IOException {
    try (Transaction transaction = store.begin()) {
      apply(transaction, number);
      transaction.commit();
    }
  }

  /** Commits the groups with these numbers, the last one included. */
  public static void commit(EventStore store, long from, long to) throws IOException {
    for (long number = from; number <= to; number++) {
      commit(store, number);
    }
  }

  /** Applies the changes of the group with that number. */
  private static void apply(Transaction transaction, long number) {
    Random random = new Random(~number);
    byte[] name = ByteBuffer.allocate(8).putLong(0, number).array();
    List<Event> events = events(number);
    for (Event event : events) {
      Address.of(event)
          .flatMap(transaction::byAddress)
          .ifPresent(older -> transaction.remove(older, Removal.OBSOLETE));
      transaction.append(event, random.nextInt(3) == 0 ? random.nextInt(50) : Transaction.NEVER);
    }
    remove(transaction, events.get(0).id(), number % 5 == 0); // of this group
    remove(
        transaction, events(number - 1 - random.nextInt(GROUPS_KEPT)).get(1).id(), number % 3 == 0);
    events(number - GROUPS_KEPT).forEach(event -> remove(transaction, event.id(), true));
    transaction.putRow(ROWS, key(random), name);
    transaction.removeRow(ROWS, key(random));
    transaction.putRow(LAST_NUMBER, NO_KEY, name);
  }

  private static byte[] key(Random random) {
    return new byte[] {(byte) random.nextInt(20)};
  }

  private static void remove(Transaction transaction, EventId id, boolean condition) {
    if (condition) {
      transaction.byId(id).ifPresent(stored -> transaction.remove(stored, Removal.ERASED));
    }
  }

  /** The events that a group adds. */
  public static List<Event> events(long number) {
    Random random = new Random(number);
    List<Event> events = new ArrayList<>();
    for (int i = 2 + random.nextInt(4); i >= 0; i--) {
      PubKey author = AUTHORS.get(random.nextInt(AUTHORS.size()));
      int kind = KINDS.get(random.nextInt(KINDS.size()));
      Tags tags = new Tags(List.of(List.of("t", value(random)), List.of("d", value(random))));
      long createdAt = random.nextInt(DISTINCT_TIMES);
      String content = number + " " + i + "x".repeat(random.nextInt(300));
      EventId id = EventEncoder.idOf(author, createdAt, kind, tags, content);
      events.add(EventEncoder.encode(id, author, createdAt, kind, tags, content, NO_SIG));
    }
    return events;
  }

  private static String value(Random random) {
    return "v" + random.nextInt(DISTINCT_VALUES);
  }
}
