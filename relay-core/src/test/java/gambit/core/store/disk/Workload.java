package gambit.core.store.disk;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoreFailure;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A fixed sequence of commits: events of all sizes, removals, rows, segments that are filled and
 * rewritten. It records the content that the store must have.
 */
public final class Workload {
  private static final int COMMITS = 30;
  private static final List<Event> EVENTS = events();

  /** The content of a store. */
  public record Content(Map<EventId, Event> events, Map<String, String> rows) {
    public static final Content NOTHING = new Content(Map.of(), Map.of());

    /** Reads the content with a query for all events. */
    public static Content of(EventStore store) {
      Map<EventId, Event> events = new HashMap<>();
      Query query =
          store.query(new Filter(null, null, null, Map.of(), null, null, null), Long.MAX_VALUE);
      Page page;
      do {
        page = query.next(10, Integer.MAX_VALUE);
        page.found().forEach(stored -> events.put(stored.event().id(), stored.event()));
      } while (!page.isLast());
      Map<String, String> rows = new HashMap<>();
      store.rows("rows").forEach((key, value) -> rows.put(key, HexFormat.of().formatHex(value)));
      return new Content(events, rows);
    }
  }

  private final Random random = new Random(1);
  private boolean reclaims = true;
  private int next;
  private Content committed = Content.NOTHING;
  private @Nullable Content uncertain;

  private static List<Event> events() {
    Random random = new Random(2);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 4 * COMMITS; i++) {
      String content = i + " " + "x".repeat(random.nextInt(i % 24 == 0 ? 9000 : 300));
      events.add(Keys.of("alice").sign(i, 1, Tags.NONE, content));
    }
    return events;
  }

  /** The content after the acknowledged commits. */
  public Content committed() {
    return committed;
  }

  /**
   * The possible contents: the acknowledged commits with and without the one that did not return.
   */
  public List<Content> possible() {
    return uncertain == null ? List.of(committed) : List.of(committed, uncertain);
  }

  /** Switches reclaiming off. */
  public Workload withoutReclaiming() {
    reclaims = false;
    return this;
  }

  /** Continues after the last commit of another workload, with the given content. */
  public void skipTo(Workload other, Content now) {
    next = other.next;
    committed = now;
  }

  /**
   * Runs all remaining commits, or until an error; a commit that fails with an exception must have
   * no effect.
   */
  public void run(EventStore store) throws IOException {
    while (next < COMMITS) {
      next++;
      if (next % 8 == 0 && reclaims) {
        StoreDirectory.reclaimAll(store, Instant.ofEpochSecond(4_000_000_000L));
      } else {
        commit(store);
      }
    }
  }

  private void commit(EventStore store) {
    Content after = new Content(new HashMap<>(committed.events()), new HashMap<>(committed.rows()));
    uncertain = after;
    boolean failed = true;
    try (Transaction transaction = store.begin()) {
      change(transaction, after);
      transaction.commit();
      committed = after;
      failed = false;
    } catch (IOException | RuntimeException e) {
      failed = false;
    } finally {
      if (!failed) {
        uncertain = null;
      }
    }
  }

  private void change(Transaction transaction, Content content) {
    for (int i = 0; i < 3; i++) {
      Event event = EVENTS.get(4 * (next - 1) + i);
      transaction.append(event, Transaction.NEVER);
      content.events().put(event.id(), event);
    }
    List<EventId> ids = content.events().keySet().stream().sorted().toList();
    for (int i = 0; i < 2; i++) {
      EventId id = ids.get(random.nextInt(ids.size()));
      StoredEvent stored = transaction.byId(id).orElse(null);
      if (stored != null) {
        transaction.remove(stored, i == 0 ? Removal.ERASED : Removal.OBSOLETE);
        content.events().remove(id);
      }
    }
    byte[] key = {(byte) random.nextInt(3)};
    byte[] value = {(byte) next};
    transaction.putRow("rows", key, value);
    content.rows().put(HexFormat.of().formatHex(key), HexFormat.of().formatHex(value));
  }

  /** Whether a store may end with that error. */
  public static boolean endsTheStore(Error error) {
    return error instanceof FaultyDisk.PowerCut || error instanceof StoreFailure;
  }
}
