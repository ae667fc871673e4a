package gambit.core.store.disk;

import gambit.core.model.PackedEvent;
import gambit.core.store.EventStore;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import gambit.core.store.disk.query.CommittedView;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * A pass over the encodings of all stored events that have not expired, in serving order, which
 * creates no event objects. Events that are committed meanwhile may be missing. A read transaction
 * lasts for one portion. One thread.
 */
public final class EncodedEvents {
  static final int PORTION_BYTES = 1 << 20;

  private static final int MAX_ENTRIES_PER_PORTION = 10_000;

  private final Supplier<CommittedView> openView;
  private final long now;
  private final int portionBytes;
  private byte[] lines;
  private int length;
  private int events;
  private boolean isAtEnd;

  // the sort key after which the next portion begins
  private long createdAt = EventStore.TIMESTAMP_BOUND - 1;
  private long id48;
  private long offset = -1;

  /** Begins a pass; a portion ends with the event that reaches that number of bytes. */
  EncodedEvents(Supplier<CommittedView> openView, Instant now, int portionBytes) {
    this.openView = openView;
    this.now = now.getEpochSecond();
    this.portionBytes = portionBytes;
    this.lines = new byte[portionBytes + portionBytes / 8];
  }

  public boolean isAtEnd() {
    return isAtEnd;
  }

  /** The lines of the portion, each with a line feed at its end; valid until the next portion. */
  public byte[] lines() {
    return lines;
  }

  public int length() {
    return length;
  }

  /** The number of events in the portion, perhaps zero before the end. */
  public int events() {
    return events;
  }

  public void read() {
    length = 0;
    events = 0;
    try (CommittedView view = openView.get()) {
      IndexView index = view.index();
      List<Long> ties = new ArrayList<>(1);
      boolean more =
          index.seek(Table.TIME, index.keys().seekKey(new byte[0], createdAt, id48, offset + 1));
      for (int examined = 0; more; examined++) {
        ByteBuffer key = index.key(Table.TIME);
        if (!ties.isEmpty() && !isTie(key)) {
          append(ties, view.log());
          ties.clear();
          if (length >= portionBytes || examined >= MAX_ENTRIES_PER_PORTION) {
            return;
          }
        }
        createdAt = IndexKeys.createdAt(key, 0);
        id48 = IndexKeys.id48(key, 0);
        offset = IndexKeys.offset(key, 0);
        ties.add(offset);
        more = index.next(Table.TIME);
      }
      append(ties, view.log());
      isAtEnd = true;
    }
  }

  /** Whether only the records determine the order of an entry and the one before it. */
  private boolean isTie(ByteBuffer key) {
    return IndexKeys.createdAt(key, 0) == createdAt && IndexKeys.id48(key, 0) == id48;
  }

  private void append(List<Long> offsets, LogView view) {
    if (offsets.size() > 1) {
      offsets.removeIf(it -> view.intactEvent(view.segmentOf(it), it) < 0);
      offsets.sort(Comparator.comparing(view::id));
    }
    for (long each : offsets) {
      Segment segment = view.segmentOf(each);
      int at = view.intactEvent(segment, each);
      if (at >= 0 && Records.expiresAt(segment.view(), at) > now) {
        append(
            segment.view(),
            Records.packedEventAt(at),
            Records.packedEventBytes(segment.view(), at));
      }
    }
  }

  private void append(ByteBuffer in, int at, int size) {
    int end = length + PackedEvent.jsonBytes(in, at, size);
    if (end >= lines.length) {
      lines = Arrays.copyOf(lines, Math.max(end + 1, lines.length + lines.length / 2));
    }
    PackedEvent.putJson(in, at, size, lines, length);
    lines[end] = '\n';
    length = end + 1;
    events++;
  }
}
