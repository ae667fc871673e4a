package gambit.core.store.disk;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PackedEvent;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The segments of the log at one moment; while somebody holds it, their files stay readable. Any
 * thread.
 */
final class LogView implements AutoCloseable {
  private final List<Segment> segments;
  private final DamagedRecords damagedRecords;
  private final AtomicInteger holders = new AtomicInteger(1);

  /**
   * Takes a share in the segments, which are in the order of their offsets.
   *
   * @param damaged is told of damaged records that are met
   */
  LogView(List<Segment> segments, DamagedRecords damaged) {
    this.segments = List.copyOf(segments);
    this.damagedRecords = damaged;
    segments.forEach(Segment::acquire);
  }

  List<Segment> segments() {
    return segments;
  }

  /** One more holder; false when the last one has let go already. */
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

  /** The segment in whose range an offset lies. */
  Segment segmentOf(long offset) {
    int low = 0;
    int high = segments.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (segments.get(middle).base() <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return segments.get(low);
  }

  /** The event of that offset, or null when there is none any more or its record is damaged. */
  @Nullable StoredEvent event(long offset) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    return at < 0 || !isIntact(segment, at, offset) ? null : event(segment.view(), at, offset);
  }

  /** The same, if it matches. Looks at what costs least first. */
  @Nullable StoredEvent event(long offset, Filter filter) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    if (at < 0
        || (Records.mayBeEvent(segment.view(), at) && cannotMatch(segment.view(), at, filter))
        || !isIntact(segment, at, offset)) {
      return null;
    }
    StoredEvent stored = event(segment.view(), at, offset);
    return stored != null && filter.matches(stored.event()) ? stored : null;
  }

  /** Whether that is the record of the event with that id. */
  boolean isEvent(long offset, EventId id) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    return at >= 0
        && Records.mayBeEvent(segment.view(), at)
        && PackedEvent.id(segment.view(), Records.packedEventAt(at)).equals(id)
        && isIntact(segment, at, offset);
  }

  /** Whether the record is what was written; if not, that is reported. */
  private boolean isIntact(Segment segment, int at, long offset) {
    if (segment.isIntact(at, offset) || isVerified(segment, at, offset)) {
      return true;
    }
    damagedRecords.report(segment, at);
    return false;
  }

  /**
   * In a segment of version 1, a wrong checksum does not tell which record it is that has changed:
   * an event whose id and signature are right is not the one.
   */
  private static boolean isVerified(Segment segment, int at, long offset) {
    if (segment.hasRecordChecksums() || !Records.mayBeEvent(segment.view(), at)) {
      return false;
    }
    try {
      Event event = Records.event(segment.view(), at, offset).event();
      return Verifier.OF_EVENTS.hasValidId(event) && Verifier.OF_EVENTS.hasValidSignature(event);
    } catch (RuntimeException e) {
      return false; // lengths or texts that no event has
    }
  }

  /** Loads the native library when it is needed first. */
  private static final class Verifier {
    static final EventVerifier OF_EVENTS = new EventVerifier();
  }

  /**
   * The value of the row whose record has that offset.
   *
   * @throws RowDamaged when the record has a wrong checksum
   */
  byte[] row(long offset) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    if (at < 0) {
      throw new IllegalStateException("a row that the index knows is not in the log: " + offset);
    }
    if (!isIntactRow(segment, at, offset)) {
      damagedRecords.report(segment, at);
      throw new RowDamaged(segment, at);
    }
    return Records.value(segment.view(), at);
  }

  /** Whether the row of that offset can be read. */
  boolean isIntactRow(long offset) {
    Segment segment = segmentOf(offset);
    int at = segment.findRecord(offset);
    return at >= 0 && isIntactRow(segment, at, offset);
  }

  /** Rows of version 1 are believed: without a checksum of their own, none could be told apart. */
  private static boolean isIntactRow(Segment segment, int at, long offset) {
    return !segment.hasRecordChecksums() || segment.isIntact(at, offset);
  }

  /** Whether the record is still in a file, be it wanted or not. */
  boolean contains(long offset) {
    return segmentOf(offset).findRecord(offset) >= 0;
  }

  static @Nullable StoredEvent event(ByteBuffer in, int at, long offset) {
    return Records.kind(in, at) == Records.EVENT ? Records.event(in, at, offset) : null;
  }

  /** Whether an event's record shows by its numbers alone that it does not match. */
  private static boolean cannotMatch(ByteBuffer in, int at, Filter filter) {
    int packed = Records.packedEventAt(at);
    return (filter.kinds() != null && !filter.kinds().contains(PackedEvent.kind(in, packed)))
        || (filter.authors() != null && !filter.authors().contains(PackedEvent.pubkey(in, packed)))
        || (filter.ids() != null && !filter.ids().contains(PackedEvent.id(in, packed)));
  }
}
