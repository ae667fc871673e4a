package gambit.core.store.disk.query;

import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.TableCursor;
import gambit.core.store.disk.log.RecordFilter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Scans several key ranges of one index table, each in serving order, and merges them. Every hit is
 * confirmed with the record. Between pages it keeps the position in each range. One thread at a
 * time.
 */
final class MergingQuery implements StoreSearch.ViewQuery {
  private final Filter filter;
  private final RecordFilter recordFilter;
  private final long upTo;
  private final PriorityQueue<KeyRange> openRanges = new PriorityQueue<>(1);
  private final Deque<StoredEvent> sortedTies = new ArrayDeque<>(0);
  private @Nullable QueryPlan plan;
  private int openedRanges; // number of ranges opened

  /** The sort key at which the ranges of the plan begin. */
  private long startCreatedAt;

  private long startId48;
  private long startOffset;
  private int entriesOnTrial; // of the current group of entries
  private int eventsOnTrial; // found among them

  MergingQuery(Filter filter, long upTo) {
    this.filter = filter;
    this.recordFilter = new RecordFilter(filter);
    this.upTo = upTo;
  }

  @Override
  public Page next(StoreView view, int max, int maxBytes, int maxExamined) {
    if (filter.isImpossible()) {
      return new Page(List.of(), true, 0);
    }
    int examined = 0;
    if (plan == null) {
      QueryPlanner planner = new QueryPlanner(filter, view.index());
      plan = planner.choose(maxExamined);
      examined = planner.examined();
      if (plan == null) {
        return new Page(List.of(), false, examined);
      }
      startCreatedAt = QueryPlanner.latest(filter);
    }
    return new PageScan(plan, view, examined, maxExamined).page(max, maxBytes);
  }

  private final class PageScan {
    private final IndexView index;
    private final StoreView view;
    private QueryPlan plan;
    private TableCursor cursor;
    private @Nullable KeyRange rangeAtCursor;
    private final int maxExamined;
    private int examined;

    PageScan(QueryPlan plan, StoreView view, int examined, int maxExamined) {
      this.plan = plan;
      this.examined = examined;
      this.maxExamined = maxExamined;
      this.index = view.index();
      this.cursor = index.cursor(plan.table());
      this.view = view;
    }

    Page page(int max, int maxBytes) {
      if (!sortedTies.isEmpty()) {
        sortedTies.removeIf(
            stored -> !IndexUpdate.contains(index, stored.event().id(), stored.offset()));
      }
      openRanges();
      List<StoredEvent> found = new ArrayList<>();
      int bytes = 0;
      while (areAllRangesOpen() && found.size() < max && bytes < maxBytes) {
        StoredEvent next;
        if (!sortedTies.isEmpty()) {
          next = sortedTies.removeFirst();
        } else if (!openRanges.isEmpty() && examined < maxExamined) {
          if (replacePoorPlan()) {
            continue;
          }
          next = readNext();
        } else {
          break;
        }
        if (next != null) {
          found.add(next);
          bytes += next.event().json().length;
        }
      }
      return new Page(
          found, areAllRangesOpen() && openRanges.isEmpty() && sortedTies.isEmpty(), examined);
    }

    private void openRanges() {
      while (!areAllRangesOpen() && examined < maxExamined) {
        KeyRange range = new KeyRange(plan.prefixes().get(openedRanges++));
        if (seek(range, startCreatedAt, startId48, startOffset)) {
          openRanges.add(range);
        }
      }
    }

    /** Continues with the other plan at the next entry if the current one finds too little. */
    private boolean replacePoorPlan() {
      QueryPlan other = plan.otherwise();
      if (other == null || entriesOnTrial < QueryPlan.ENTRIES_ON_TRIAL) {
        return false;
      }
      boolean isPoor = eventsOnTrial < QueryPlan.MIN_EVENTS_ON_TRIAL;
      entriesOnTrial = 0;
      eventsOnTrial = 0;
      if (isPoor) {
        KeyRange next = openRanges.element();
        startCreatedAt = next.createdAt();
        startId48 = next.id48();
        startOffset = next.offset();
        openRanges.clear();
        openedRanges = 0;
        plan = other;
        MergingQuery.this.plan = other;
        cursor = index.cursor(other.table());
        openRanges();
      }
      return isPoor;
    }

    private boolean areAllRangesOpen() {
      return openedRanges == plan.prefixes().size();
    }

    /**
     * Takes the first head and all heads with an equal sort key; only their records determine their
     * order, so their events are queued. There is hardly ever more than one, which is returned.
     */
    private @Nullable StoredEvent readNext() {
      KeyRange first = openRanges.element();
      long createdAt = first.createdAt();
      long id48 = first.id48();
      long before = first.offset();
      StoredEvent found = takeHead(-1);
      if (!isTied(createdAt, id48)) {
        return found;
      }
      List<StoredEvent> ties = new ArrayList<>(2);
      if (found != null) {
        ties.add(found);
      }
      while (isTied(createdAt, id48)) {
        long offset = openRanges.element().offset();
        StoredEvent tie = takeHead(before);
        if (tie != null) {
          ties.add(tie);
        }
        before = offset;
      }
      ties.sort(StoredEvent.SERVING_ORDER);
      sortedTies.addAll(ties);
      return null;
    }

    private boolean isTied(long createdAt, long id48) {
      KeyRange first = openRanges.peek();
      return first != null && first.isTiedWith(createdAt, id48);
    }

    /**
     * Takes the head of the first range; returns its event, or null if it is gone, does not match
     * or has the given offset, whose event was found in another range.
     */
    private @Nullable StoredEvent takeHead(long known) {
      KeyRange range = openRanges.remove();
      if (!range.isReadBy(this) && !isStillIndexed(range)) {
        return null;
      }
      StoredEvent found = null;
      if (range.offset() != known && range.offset() <= upTo && hasKind(range)) {
        found = view.event(range.offset(), recordFilter);
      }
      entriesOnTrial++;
      eventsOnTrial += found == null ? 0 : 1;
      if (advance(range)) {
        openRanges.add(range);
      }
      return found;
    }

    /** Seeks the head that an earlier page has read; if gone, the next one takes its place. */
    private boolean isStillIndexed(KeyRange range) {
      long createdAt = range.createdAt();
      long id48 = range.id48();
      long offset = range.offset();
      if (!seek(range, createdAt, id48, offset)) {
        return false;
      }
      if (!range.isTiedWith(createdAt, id48) || range.offset() != offset) {
        openRanges.add(range);
        return false;
      }
      readAhead(range);
      return true;
    }

    private boolean hasKind(KeyRange range) {
      return plan.kinds() == null || plan.kinds().contains(range.kind());
    }

    private boolean advance(KeyRange range) {
      if (range.takeAhead()) {
        return true;
      }
      if (range.isAtEnd()) {
        return false;
      }
      if (range == rangeAtCursor) {
        return load(range, step());
      }
      boolean hasHead = seek(range, range.createdAt(), range.id48(), range.offset() + 1);
      if (hasHead) {
        readAhead(range);
      }
      return hasHead;
    }

    /** Moves the cursor to the first entry of a range at or after a sort key, and loads it. */
    private boolean seek(KeyRange range, long createdAt, long id48, long offset) {
      rangeAtCursor = range;
      examined++;
      return load(
          range,
          index.seek(plan.table(), index.keys().seekKey(range.prefix, createdAt, id48, offset)));
    }

    private boolean step() {
      examined++;
      return index.next(cursor);
    }

    /** Loads the entry at the cursor; returns false if it is outside the range. */
    private boolean load(KeyRange range, boolean more) {
      if (!more || !QueryPlanner.isWithin(cursor.key(), range.prefix, filter)) {
        return false;
      }
      ByteBuffer key = cursor.key();
      int at = range.prefix.length;
      range.setHead(
          IndexKeys.createdAt(key, at),
          IndexKeys.id48(key, at),
          IndexKeys.offset(key, at),
          kindAtCursor(),
          this);
      return true;
    }

    /** Reads entries after the one at the cursor, before the cursor goes to other ranges. */
    private void readAhead(KeyRange range) {
      if (openRanges.isEmpty()) {
        return;
      }
      int at = range.prefix.length;
      for (int left = range.nextAhead(); left > 0; left--) {
        if (!step() || !QueryPlanner.isWithin(cursor.key(), range.prefix, filter)) {
          range.setAtEnd();
          return;
        }
        ByteBuffer key = cursor.key();
        range.addAhead(
            IndexKeys.createdAt(key, at),
            IndexKeys.id48(key, at),
            IndexKeys.offset(key, at),
            kindAtCursor());
      }
    }

    private int kindAtCursor() {
      return plan.kinds() == null ? 0 : cursor.kind();
    }
  }
}
