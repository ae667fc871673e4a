package gambit.core.store.disk.index;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one table that a cursor shows over LMDB's entries: parts of runs, the oldest
 * first, each in the order of its keys. A newer part counts where several have a key. One thread.
 */
final class TableChanges {
  private static final int TYPICAL_PARTS = 8;
  private static final byte[][] NOTHING = {};

  private byte[][][] parts = new byte[TYPICAL_PARTS][][];
  private int[] starts = new int[TYPICAL_PARTS];
  private int[] ends = new int[TYPICAL_PARTS];
  private int count;

  /** The number of parts; none is empty. */
  public int count() {
    return count;
  }

  /** The index of a part's first change. */
  int start(int part) {
    return starts[part];
  }

  /** The index after a part's last change. */
  int end(int part) {
    return ends[part];
  }

  byte[] get(int part, int index) {
    return parts[part][index];
  }

  /** Forgets all changes. */
  void clear() {
    Arrays.fill(parts, 0, count, NOTHING);
    count = 0;
  }

  /** Adds changes that are newer than all others. */
  void add(byte[][] changes, int start, int end) {
    if (start == end) {
      return;
    }
    if (count == parts.length) {
      parts = Arrays.copyOf(parts, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    parts[count] = changes;
    starts[count] = start;
    ends[count] = end;
    count++;
  }

  /**
   * The index of a part's first change whose key is not before the given one.
   *
   * @param prefix {@link IndexChange#prefix} of the key
   */
  int firstFrom(int part, long prefix, ByteBuffer key) {
    byte[][] changes = parts[part];
    int from = starts[part];
    int to = ends[part];
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (IndexChange.compareKey(changes[middle], prefix, key) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** The last change of a key, or null if there is none. */
  byte @Nullable [] find(ByteBuffer key) {
    if (count == 0) {
      return null;
    }
    long prefix = IndexChange.prefix(key);
    for (int i = count - 1; i >= 0; i--) {
      int at = firstFrom(i, prefix, key);
      if (at < ends[i] && IndexChange.compareKey(parts[i][at], prefix, key) == 0) {
        return parts[i][at];
      }
    }
    return null;
  }
}
