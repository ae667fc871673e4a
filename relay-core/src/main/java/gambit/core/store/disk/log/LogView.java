package gambit.core.store.disk.log;

import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import gambit.core.store.RowDamaged;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed list of the log's segments, whose files stay readable until the view is closed. Any
 * thread.
 */
public final class LogView implements AutoCloseable {
  private final List<Segment> segments;
  private final long[] bases; // of the segments
  private final DamagedRecords damagedRecords;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** Acquires the segments, which are in offset order. */
  LogView(List<Segment> segments, DamagedRecords damagedRecords) {
    this.segments = List.copyOf(segments);
    this.bases = segments.stream().mapToLong(Segment::base).toArray();
    this.damagedRecords = damagedRecords;
    segments.forEach(Segment::acquire);
  }

  public List<Segment> segments() {
    return segments;
  }

  /** Adds a holder; returns false if the view was closed by its last holder. */
  boolean tryAcquire() {
    int now = holders.get();
    while (now > 0) {
      if (holders.compareAndSet(now, now + 1)) {
        return true;
      }
      now = holders.get();
    }
    return false;
  }

  @Override
  public void close() {
    if (holders.decrementAndGet() == 0) {
      segments.forEach(Segment::release);
    }
  }

  public Segment segmentOf(long offset) {
    int at = Arrays.binarySearch(bases, offset);
    return segments.get(at >= 0 ? at : Math.max(0, -at - 2));
  }

  /** The event with that offset, or null if its record is gone or damaged. */
  public @Nullable StoredEvent event(long offset) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    return at < 0 || !isIntact(segment, at, offset) ? null : event(segment.view(), at, offset);
  }

  /** The event with that offset if it matches; the cheapest conditions are checked first. */
  public @Nullable StoredEvent event(long offset, RecordFilter filter) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    if (at < 0) {
      return null;
    }
    boolean isEvent = Records.mayBeEvent(segment.view(), at);
    if ((isEvent && !filter.matchesIgnoringTags(segment.view(), Records.packedEventAt(at)))
        || !isIntact(segment, at, offset)
        || !isEvent) {
      return null;
    }
    StoredEvent stored = Records.event(segment.view(), at, offset);
    return filter.matchesTags(stored.event()) ? stored : null;
  }

  /** Whether that is an intact record of the event with that id. */
  public boolean isEvent(long offset, EventId id) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    return at >= 0
        && Records.mayBeEvent(segment.view(), at)
        && PackedEvent.id(segment.view(), Records.packedEventAt(at)).equals(id)
        && isIntact(segment, at, offset);
  }

  /** Whether the record is intact; reports it if not. */
  private boolean isIntact(Segment segment, int at, long offset) {
    if (segment.isIntact(at, offset)) {
      return true;
    }
    damagedRecords.report(segment, at);
    return false;
  }

  /** The value of the row with that offset; {@link RowDamaged} if the record is damaged. */
  public byte[] row(long offset) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    if (at < 0) {
      throw new IllegalStateException("an indexed row is missing from the log: " + offset);
    }
    if (!isIntact(segment, at, offset)) {
      throw new RowDamaged(segment.name(), at);
    }
    return Records.value(segment.view(), at);
  }

  /** Whether the record is still in a file, live or dead. */
  public boolean contains(long offset) {
    return segmentOf(offset).findRecord(offset) >= 0;
  }

  public static @Nullable StoredEvent event(ByteBuffer in, int at, long offset) {
    return Records.kind(in, at) == Records.EVENT ? Records.event(in, at, offset) : null;
  }

  /**
   * Counts the damaged records found since the start, and logs each once. Bound: no more than
   * {@link #MAX_REPORTED_RECORDS} are logged and counted. Thread-safe.
   */
  public static final class DamagedRecords {
    static final int MAX_REPORTED_RECORDS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(DamagedRecords.class);

    private final Set<Location> reported = ConcurrentHashMap.newKeySet();

    private record Location(String segment, int at) {}

    public void report(Segment segment, int at) {
      if (reported.size() < MAX_REPORTED_RECORDS
          && reported.add(new Location(segment.name(), at))) {
        LOG.error(
            "The event log is damaged: segment {}, byte {}: the record is damaged"
                + " and is not served. Check the whole log with `gambit check`, and"
                + " restore the data directory from a backup",
            segment.name(),
            at);
      }
    }

    public int count() {
      return reported.size();
    }
  }
}
