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
 * Scans several key ranges of one index table, each in serving order, and merges them. Every hit is
 * confirmed with the record. Between pages it keeps the position in each range. One thread at a
 * time.
 */
final class MergingQuery implements Query {
  private final Filter filter;
  private final long upTo;
  private final Supplier<StoreView> openView;
  private final PriorityQueue<KeyRange> openRanges =
      new PriorityQueue<>(
          Comparator.<KeyRange>comparingLong(it -> -it.createdAt)
              .thenComparingLong(it -> it.id48)
              .thenComparingLong(it -> it.offset));
  private final Deque<StoredEvent> sortedEvents = new ArrayDeque<>();
  private @Nullable QueryPlan plan;
  private int openedRanges; // number of ranges opened

  MergingQuery(Filter filter, long upTo, Supplier<StoreView> openView) {
    this.filter = filter;
    this.upTo = upTo;
    this.openView = openView;
  }

  @Override
  public Page next(int max, int maxBytes, int maxExamined) {
    if (filter.isImpossible()) {
      return new Page(List.of(), true, 0);
    }
    try (StoreView view = openView.get()) {
      int examined = 0;
      if (plan == null) {
        QueryPlanner planner = new QueryPlanner(filter, view.index());
        plan = planner.choose(maxExamined);
        examined = planner.examined();
        if (plan == null) {
          return new Page(List.of(), false, examined);
        }
      }
      return new PageScan(plan, view, examined, maxExamined).page(max, maxBytes);
    }
  }

  /** The keys with one prefix, and the next entry among them. */
  private static final class KeyRange {
    final byte[] prefix;
    long createdAt;
    long id48;
    long offset;
    int kind;
    @Nullable Object readBy; // the page that has read the entry

    KeyRange(byte[] prefix) {
      this.prefix = prefix;
    }
  }

  /** Scans the entries of one page. */
  private final class PageScan {
    private final QueryPlan plan;
    private final Table table;
    private final IndexView index;
    private final StoreView view;
    private @Nullable KeyRange rangeAtCursor;
    private final int maxExamined;
    private int examined;

    PageScan(QueryPlan plan, StoreView view, int examined, int maxExamined) {
      this.plan = plan;
      this.examined = examined;
      this.maxExamined = maxExamined;
      this.table = plan.table();
      this.index = view.index();
      this.view = view;
    }

    Page page(int max, int maxBytes) {
      sortedEvents.removeIf(
          stored -> !IndexUpdate.contains(index, stored.event().id(), stored.offset()));
      openRanges();
      List<StoredEvent> found = new ArrayList<>();
      int bytes = 0;
      while (areAllRangesOpen() && found.size() < max && bytes < maxBytes) {
        if (!sortedEvents.isEmpty()) {
          StoredEvent next = sortedEvents.removeFirst();
          found.add(next);
          bytes += next.event().json().length;
        } else if (!openRanges.isEmpty() && examined < maxExamined) {
          readTies();
        } else {
          break;
        }
      }
      return new Page(
          found, areAllRangesOpen() && openRanges.isEmpty() && sortedEvents.isEmpty(), examined);
    }

    private void openRanges() {
      while (!areAllRangesOpen() && examined < maxExamined) {
        KeyRange range = new KeyRange(plan.prefixes().get(openedRanges++));
        addIfWithin(
            range,
            index.seek(
                table, index.keys().seekKey(range.prefix, QueryPlanner.latest(filter), 0, 0)));
        examined++;
      }
    }

    private boolean areAllRangesOpen() {
      return openedRanges == plan.prefixes().size();
    }

    /**
     * Reads the next entry and all entries with an equal sort key; only their records determine
     * their order. There is hardly ever more than one.
     */
    private void readTies() {
      List<StoredEvent> ties = new ArrayList<>(1);
      KeyRange first = openRanges.element();
      long createdAt = first.createdAt;
      long id48 = first.id48;
      long before = -1;
      while (!openRanges.isEmpty()
          && openRanges.element().createdAt == createdAt
          && openRanges.element().id48 == id48) {
        KeyRange range = openRanges.remove();
        examined++;
        if (range.readBy != this && !isStillIndexed(range)) {
          continue;
        }
        if (range.offset != before && range.offset <= upTo && hasKind(range)) {
          StoredEvent stored = view.event(range.offset, filter);
          if (stored != null) {
            ties.add(stored);
          }
        }
        before = range.offset;
        advance(range);
      }
      if (ties.size() > 1) {
        ties.sort(StoredEvent.SERVING_ORDER);
      }
      sortedEvents.addAll(ties);
    }

    /**
     * Seeks the entry of an earlier page again; if it is gone, the next one of its range is queued.
     */
    private boolean isStillIndexed(KeyRange range) {
      long createdAt = range.createdAt;
      long id48 = range.id48;
      long offset = range.offset;
      if (!load(
          range, index.seek(table, index.keys().seekKey(range.prefix, createdAt, id48, offset)))) {
        return false;
      }
      if (range.createdAt == createdAt && range.id48 == id48 && range.offset == offset) {
        return true;
      }
      openRanges.add(range);
      return false;
    }

    private boolean hasKind(KeyRange range) {
      return plan.kinds() == null || plan.kinds().contains(range.kind);
    }

    private void advance(KeyRange range) {
      boolean more;
      if (range == rangeAtCursor) {
        more = index.next(table);
      } else {
        ByteBuffer from =
            index.keys().seekKey(range.prefix, range.createdAt, range.id48, range.offset + 1);
        more = index.seek(table, from);
      }
      addIfWithin(range, more);
    }

    private void addIfWithin(KeyRange range, boolean more) {
      if (load(range, more)) {
        openRanges.add(range);
      }
    }

    /**
     * Loads the entry at the cursor into the range; returns false if the entry is outside the
     * range.
     */
    private boolean load(KeyRange range, boolean more) {
      rangeAtCursor = range;
      if (!more || !QueryPlanner.isWithin(index.key(table), range.prefix, filter)) {
        return false;
      }
      ByteBuffer key = index.key(table);
      int sortKeyAt = range.prefix.length;
      range.createdAt = IndexKeys.createdAt(key, sortKeyAt);
      range.id48 = IndexKeys.id48(key, sortKeyAt);
      range.offset = IndexKeys.offset(key, sortKeyAt);
      range.kind = plan.kinds() == null ? 0 : IndexKeys.kind(index.value(table));
      range.readBy = this;
      return true;
    }
  }
}
