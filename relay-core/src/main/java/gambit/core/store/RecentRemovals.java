package gambit.core.store;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of the events that commits have removed most recently. A reader that keeps events
 * learns from them which of its events are still stored, without looking up each.
 *
 * <p>The reader takes {@link #count} before it opens the view from which it reads. Every removal
 * that the view does not show is then among those {@linkplain #since since} that count, at the
 * latest when its commit returns.
 *
 * <p>One thread at a time adds; any thread reads, and nobody waits. Bound: {@value #CAPACITY}
 * offsets of 8 bytes.
 */
public final class RecentRemovals {
  public static final int CAPACITY = 4_096;

  private final AtomicLongArray ring = new AtomicLongArray(CAPACITY);
  private volatile long begun; // removals whose places in the ring may have been written
  private volatile long count; // removals whose places have been written

  /** Adds the removals of a commit, which readers can see already. */
  public void add(List<Long> offsets) {
    long next = count;
    begun = next + offsets.size();
    for (long offset : offsets) {
      ring.set((int) (next++ % CAPACITY), offset);
    }
    count = next;
  }

  public long count() {
    return count;
  }

  /**
   * The offsets of the removals since an earlier count, in ascending order; null if they are more
   * than are kept.
   */
  public long @Nullable [] since(long earlierCount) {
    long end = count;
    if (end - earlierCount > CAPACITY) {
      return null;
    }
    long[] offsets = new long[(int) (end - earlierCount)];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = ring.get((int) ((earlierCount + i) % CAPACITY));
    }
    if (begun - earlierCount > CAPACITY) { // some may have been overwritten meanwhile
      return null;
    }
    Arrays.sort(offsets);
    return offsets;
  }
}
