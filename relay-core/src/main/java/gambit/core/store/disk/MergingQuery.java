package gambit.core.store.disk;

import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Walks several stretches of one table of the index, each in serving order, and merges them; what
 * it comes upon is confirmed on the record. Between pages it keeps no more than where each stretch
 * was left. One thread at a time.
 */
final class MergingQuery implements Query {
  /** Entries that one page looks at, about. */
  private static final int SCAN = 1_000;

  private final Filter filter;
  private final long upTo;
  private final Supplier<Reading> begin;
  private final PriorityQueue<Stretch> heads =
      new PriorityQueue<>(
          Comparator.<Stretch>comparingLong(it -> -it.createdAt)
              .thenComparingLong(it -> it.id48)
              .thenComparingLong(it -> it.offset));
  private final Deque<StoredEvent> ready = new ArrayDeque<>();
  private @Nullable Plan plan;
  private int opened; // stretches whose first entry has been looked for

  MergingQuery(Filter filter, long upTo, Supplier<Reading> begin) {
    this.filter = filter;
    this.upTo = upTo;
    this.begin = begin;
  }

  @Override
  public Page next(int max, int maxBytes) {
    if (filter.isImpossible()) {
      return new Page(List.of(), true, 0);
    }
    try (Reading it = begin.get()) {
      int examined = 0;
      if (plan == null) {
        Planner planner = new Planner(filter, it.index());
        plan = planner.cheapest();
        examined = planner.examined();
      }
      return new Walk(plan, it, examined).page(max, maxBytes);
    }
  }

  /** One prefix, and the entry of it that comes next. */
  private static final class Stretch {
    final byte[] prefix;
    long createdAt;
    long id48;
    long offset;
    int kind;
    @Nullable Object readBy; // the page that has seen it in the index

    Stretch(byte[] prefix) {
      this.prefix = prefix;
    }
  }

  /** The work of one page. */
  private final class Walk {
    private final Plan plan;
    private final Table table;
    private final IndexView index;
    private final Reading reading;
    private @Nullable Stretch underCursor;
    private int examined;

    Walk(Plan plan, Reading reading, int examined) {
      this.plan = plan;
      this.examined = examined;
      this.table = plan.table();
      this.index = reading.index();
      this.reading = reading;
    }

    Page page(int max, int maxBytes) {
      ready.removeIf(stored -> !IndexUpdate.holds(index, stored.event().id(), stored.offset()));
      openStretches();
      List<StoredEvent> found = new ArrayList<>();
      int bytes = 0;
      while (isOpened() && found.size() < max && bytes < maxBytes) {
        if (!ready.isEmpty()) {
          StoredEvent next = ready.removeFirst();
          found.add(next);
          bytes += next.event().json().length;
        } else if (!heads.isEmpty() && examined < SCAN) {
          readLevel();
        } else {
          break;
        }
      }
      return new Page(found, isOpened() && heads.isEmpty() && ready.isEmpty(), examined);
    }

    private void openStretches() {
      while (!isOpened() && examined < SCAN) {
        Stretch stretch = new Stretch(plan.prefixes().get(opened++));
        take(
            stretch,
            index.seek(table, index.keys().from(stretch.prefix, Planner.latest(filter), 0, 0)));
        examined++;
      }
    }

    private boolean isOpened() {
      return opened == plan.prefixes().size();
    }

    /** Reads all entries whose order only their records tell: the next one, hardly ever more. */
    private void readLevel() {
      List<StoredEvent> level = new ArrayList<>(1);
      Stretch first = heads.element();
      long createdAt = first.createdAt;
      long id48 = first.id48;
      long before = -1;
      while (!heads.isEmpty()
          && heads.element().createdAt == createdAt
          && heads.element().id48 == id48) {
        Stretch head = heads.remove();
        examined++;
        if (head.readBy != this && !isStillThere(head)) {
          continue;
        }
        if (head.offset != before && head.offset <= upTo && hasKind(head)) {
          StoredEvent stored = reading.event(head.offset, filter);
          if (stored != null) {
            level.add(stored);
          }
        }
        before = head.offset;
        advance(head);
      }
      if (level.size() > 1) {
        level.sort(StoredEvent.SERVING_ORDER);
      }
      ready.addAll(level);
    }

    /** Looks again for an entry of an earlier page; if it is gone, the next one waits its turn. */
    private boolean isStillThere(Stretch head) {
      long createdAt = head.createdAt;
      long id48 = head.id48;
      long offset = head.offset;
      if (!load(head, index.seek(table, index.keys().from(head.prefix, createdAt, id48, offset)))) {
        return false;
      }
      if (head.createdAt == createdAt && head.id48 == id48 && head.offset == offset) {
        return true;
      }
      heads.add(head);
      return false;
    }

    private boolean hasKind(Stretch head) {
      return plan.kinds() == null || plan.kinds().contains(head.kind);
    }

    private void advance(Stretch stretch) {
      boolean more;
      if (stretch == underCursor) {
        more = index.next(table);
      } else {
        ByteBuffer from =
            index.keys().from(stretch.prefix, stretch.createdAt, stretch.id48, stretch.offset + 1);
        more = index.seek(table, from);
      }
      take(stretch, more);
    }

    private void take(Stretch stretch, boolean more) {
      if (load(stretch, more)) {
        heads.add(stretch);
      }
    }

    /** Takes over the entry under the cursor; false when it is not one of the stretch's. */
    private boolean load(Stretch stretch, boolean more) {
      underCursor = stretch;
      if (!more || !Planner.isWithin(index.key(table), stretch.prefix, filter)) {
        return false;
      }
      ByteBuffer key = index.key(table);
      int place = stretch.prefix.length;
      stretch.createdAt = Keys.createdAt(key, place);
      stretch.id48 = Keys.id48(key, place);
      stretch.offset = Keys.offset(key, place);
      stretch.kind = plan.kinds() == null ? 0 : Keys.kind(index.value(table));
      stretch.readBy = this;
      return true;
    }
  }
}
