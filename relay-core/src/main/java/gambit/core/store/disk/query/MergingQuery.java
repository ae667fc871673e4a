package gambit.core.store.disk.query;

import gambit.core.model.Filter;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexUpdate;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.TableCursor;
import gambit.core.store.disk.log.RecordFilter;
import gambit.core.store.disk.query.QueryPlanner.Plan;
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
final class MergingQuery implements StoreView.ViewQuery {
  private final Filter filter;
  private final RecordFilter recordFilter;
  private final long upTo;
  private final PriorityQueue<KeyRange> openRanges = new PriorityQueue<>(1);
  private final Deque<StoredEvent> sortedTies = new ArrayDeque<>(0);
  private @Nullable Plan plan;
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
  public Page next(StoreView view, int max, int maxBytes) {
    if (filter.isImpossible()) {
      return new Page(List.of(), true, 0);
    }
    int examined = 0;
    if (plan == null) {
      QueryPlanner planner = new QueryPlanner(filter, view.index());
      plan = planner.choose();
      examined = planner.examined();
      startCreatedAt = QueryPlanner.latest(filter);
    }
    return new PageScan(plan, view, examined).page(max, maxBytes);
  }

  private final class PageScan {
    private final IndexView index;
    private final StoreView view;
    private Plan plan;
    private TableCursor cursor;
    private @Nullable KeyRange rangeAtCursor;
    private int examined;

    PageScan(Plan plan, StoreView view, int examined) {
      this.plan = plan;
      this.examined = examined;
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
        } else if (!openRanges.isEmpty() && examined < Query.PAGE_ENTRIES) {
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
      while (!areAllRangesOpen() && examined < Query.PAGE_ENTRIES) {
        KeyRange range = new KeyRange(plan.prefixes().get(openedRanges++));
        if (seek(range, startCreatedAt, startId48, startOffset)) {
          openRanges.add(range);
        }
      }
    }

    /** Continues with the other plan at the next entry if the current one finds too little. */
    private boolean replacePoorPlan() {
      Plan other = plan.otherwise();
      if (other == null || entriesOnTrial < QueryPlanner.ENTRIES_ON_TRIAL) {
        return false;
      }
      boolean isPoor = eventsOnTrial < QueryPlanner.MIN_EVENTS_ON_TRIAL;
      entriesOnTrial = 0;
      eventsOnTrial = 0;
      if (isPoor) {
        KeyRange next = openRanges.element();
        startCreatedAt = next.createdAt;
        startId48 = next.id48;
        startOffset = next.offset;
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
      long createdAt = first.createdAt;
      long id48 = first.id48;
      long before = first.offset;
      StoredEvent found = takeHead(-1);
      if (!isTied(createdAt, id48)) {
        return found;
      }
      List<StoredEvent> ties = new ArrayList<>(2);
      if (found != null) {
        ties.add(found);
      }
      while (isTied(createdAt, id48)) {
        long offset = openRanges.element().offset;
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
      if (range.readBy != this && !isStillIndexed(range)) {
        return null;
      }
      StoredEvent found = null;
      if (range.offset != known && range.offset <= upTo && hasKind(range)) {
        found = view.event(range.offset, recordFilter);
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
      long createdAt = range.createdAt;
      long id48 = range.id48;
      long offset = range.offset;
      if (!seek(range, createdAt, id48, offset)) {
        return false;
      }
      if (!range.isTiedWith(createdAt, id48) || range.offset != offset) {
        openRanges.add(range);
        return false;
      }
      readAhead(range);
      return true;
    }

    private boolean hasKind(KeyRange range) {
      return plan.kinds() == null || plan.kinds().contains(range.kind);
    }

    private boolean advance(KeyRange range) {
      if (range.takeAhead()) {
        return true;
      }
      if (range.isAtEnd) {
        return false;
      }
      if (range == rangeAtCursor) {
        return load(range, step());
      }
      boolean hasHead = seek(range, range.createdAt, range.id48, range.offset + 1);
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
          range.isAtEnd = true;
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

  /**
   * The entries of a table whose keys have one prefix: the first one that is not taken, called its
   * head, and some that follow it, read in advance while the cursor was there.
   */
  private static final class KeyRange implements Comparable<KeyRange> {
    private static final int MAX_AHEAD = 16;

    private static final int ENTRY_LONGS = 3;
    private static final long[] NOTHING = {};

    private final byte[] prefix;
    private long createdAt;
    private long id48;
    private long offset;
    private int kind;
    private @Nullable Object readBy; // the page that has read the head
    private long[] ahead = NOTHING;
    private int aheadAt;
    private int aheadEnd;
    private int wantedAhead; // each time that the cursor returns to this range, more are read
    private boolean isAtEnd; // whether no entry follows those read

    KeyRange(byte[] prefix) {
      this.prefix = prefix;
    }

    /** Sets the head that a page has read, and forgets what was read in advance. */
    void setHead(long newCreatedAt, long newId48, long newOffset, int newKind, Object page) {
      createdAt = newCreatedAt;
      id48 = newId48;
      offset = newOffset;
      kind = newKind;
      readBy = page;
      aheadAt = 0;
      aheadEnd = 0;
      isAtEnd = false;
    }

    /** The number of entries to read in advance: none at first, later twice as many each time. */
    int nextAhead() {
      int now = wantedAhead;
      wantedAhead = Math.min(MAX_AHEAD, Math.max(1, 2 * now));
      return now;
    }

    void addAhead(long nextCreatedAt, long nextId48, long nextOffset, int nextKind) {
      if (ahead.length < wantedAhead * ENTRY_LONGS) {
        ahead = new long[wantedAhead * ENTRY_LONGS];
      }
      ahead[aheadEnd] = nextCreatedAt;
      ahead[aheadEnd + 1] = nextId48;
      ahead[aheadEnd + 2] = nextOffset << Short.SIZE | nextKind;
      aheadEnd += ENTRY_LONGS;
    }

    /** Makes the next entry that was read in advance the head; returns false if there is none. */
    boolean takeAhead() {
      if (aheadAt == aheadEnd) {
        return false;
      }
      createdAt = ahead[aheadAt];
      id48 = ahead[aheadAt + 1];
      offset = ahead[aheadAt + 2] >>> Short.SIZE;
      kind = (int) ahead[aheadAt + 2] & 0xffff;
      aheadAt += ENTRY_LONGS;
      return true;
    }

    /** Whether the head has the same place in serving order, as far as the index knows. */
    boolean isTiedWith(long otherCreatedAt, long otherId48) {
      return createdAt == otherCreatedAt && id48 == otherId48;
    }

    /** Compares the places of the heads in serving order. */
    @Override
    public int compareTo(KeyRange other) {
      if (createdAt != other.createdAt) {
        return createdAt > other.createdAt ? -1 : 1;
      }
      return id48 != other.id48
          ? Long.compare(id48, other.id48)
          : Long.compare(offset, other.offset);
    }
  }
}
