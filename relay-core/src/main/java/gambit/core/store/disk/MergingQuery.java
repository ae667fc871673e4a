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
  private final PriorityQueue<Stretch> heads = new PriorityQueue<>(Stretch.ORDER);
  private final Deque<StoredEvent> ready = new ArrayDeque<>();
  private @Nullable Plan plan;
  private int opened; // stretches whose first entry has been looked for

  MergingQuery(Filter filter, long upTo, Supplier<Reading> begin) {
    this.filter = filter;
    this.upTo = upTo;
    this.begin = begin;
  }

  @Override
  public Page next(int max) {
    if (filter.isImpossible()) {
      return new Page(List.of(), true, 0);
    }
    try (Reading it = begin.get()) {
      if (plan == null) {
        plan = Plan.of(filter, it.index());
      }
      return new Walk(plan, it).page(max);
    }
  }

  /** One prefix, and the entry of it that comes next. */
  private static final class Stretch {
    static final Comparator<Stretch> ORDER =
        Comparator.<Stretch>comparingLong(it -> -it.createdAt)
            .thenComparingLong(it -> it.id48)
            .thenComparingLong(it -> it.offset);

    final byte[] prefix;
    long createdAt;
    long id48;
    long offset;
    int kind;

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

    Walk(Plan plan, Reading reading) {
      this.plan = plan;
      this.table = plan.table();
      this.index = reading.index();
      this.reading = reading;
    }

    Page page(int max) {
      while (opened < plan.prefixes().size() && examined < SCAN) {
        Stretch stretch = new Stretch(plan.prefixes().get(opened++));
        take(
            stretch,
            index.seek(table, index.keys().from(stretch.prefix, Plan.latest(filter), 0, 0)));
        examined++;
      }
      List<StoredEvent> found = new ArrayList<>();
      boolean opening = opened < plan.prefixes().size();
      while (!opening && found.size() < max && (examined < SCAN || !ready.isEmpty())) {
        if (ready.isEmpty()) {
          if (heads.isEmpty()) {
            break;
          }
          readLevel();
        } else {
          found.add(ready.removeFirst());
        }
      }
      return new Page(found, !opening && heads.isEmpty() && ready.isEmpty(), examined);
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
      underCursor = stretch;
      if (more) {
        ByteBuffer key = index.key(table);
        if (Plan.isWithin(key, stretch.prefix, filter)) {
          int place = stretch.prefix.length;
          stretch.createdAt = Keys.createdAt(key, place);
          stretch.id48 = Keys.id48(key, place);
          stretch.offset = Keys.offset(key, place);
          stretch.kind = plan.kinds() == null ? 0 : Keys.kind(index.value(table));
          heads.add(stretch);
        }
      }
    }
  }
}
