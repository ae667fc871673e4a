package gambit.core.store.disk;

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
  private final AtomicInteger holders = new AtomicInteger(1);

  /** Takes a share in the segments, which are in the order of their offsets. */
  LogView(List<Segment> segments) {
    this.segments = List.copyOf(segments);
    segments.forEach(Segment::acquire);
  }

  List<Segment> segments() {
    return segments;
  }

  /** One more holder; false when the last one has let go already. */
  boolean hold() {
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

  /** The event's record of that offset, or null when there is none any more. */
  @Nullable StoredEvent event(long offset) {
    Segment segment = segmentOf(offset);
    int at = segment.find(offset);
    return at < 0 ? null : event(segment.view(), at, offset);
  }

  /** The same, if it matches. */
  @Nullable StoredEvent event(long offset, Filter filter) {
    Segment segment = segmentOf(offset);
    int at = segment.find(offset);
    return at < 0 ? null : event(segment.view(), at, offset, filter);
  }

  /** Whether that is the record of the event with that id. */
  boolean isEvent(long offset, EventId id) {
    Segment segment = segmentOf(offset);
    int at = segment.find(offset);
    return at >= 0
        && Records.kind(segment.view(), at) == Records.EVENT
        && PackedEvent.id(segment.view(), Records.packedAt(at)).equals(id);
  }

  /** The value of the row whose record has that offset. */
  byte[] row(long offset) {
    Segment segment = segmentOf(offset);
    int at = segment.find(offset);
    if (at < 0) {
      throw new IllegalStateException("a row that the index knows is not in the log: " + offset);
    }
    return Records.value(segment.view(), at);
  }

  /** Whether the record is still in a file, be it wanted or not. */
  boolean has(long offset) {
    return segmentOf(offset).find(offset) >= 0;
  }

  static @Nullable StoredEvent event(ByteBuffer in, int at, long offset) {
    return Records.kind(in, at) == Records.EVENT ? Records.event(in, at, offset) : null;
  }

  /** Looks at what costs least first. */
  static @Nullable StoredEvent event(ByteBuffer in, int at, long offset, Filter filter) {
    int packed = Records.packedAt(at);
    if (Records.kind(in, at) != Records.EVENT
        || (filter.kinds() != null && !filter.kinds().contains(PackedEvent.kind(in, packed)))
        || (filter.authors() != null && !filter.authors().contains(PackedEvent.pubkey(in, packed)))
        || (filter.ids() != null && !filter.ids().contains(PackedEvent.id(in, packed)))) {
      return null;
    }
    StoredEvent stored = Records.event(in, at, offset);
    return filter.matches(stored.event()) ? stored : null;
  }
}
