package gambit.core.store.disk.check;

import java.util.Arrays;

/** Offsets of the log, eight bytes each, that are found after they have been sorted. One thread. */
final class OffsetList {
  private long[] offsets = new long[1_024];
  private int size;

  void add(long offset) {
    if (size == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * size);
    }
    offsets[size++] = offset;
  }

  void sort() {
    Arrays.sort(offsets, 0, size);
  }

  /** Whether a sorted list has that offset. */
  boolean contains(long offset) {
    return Arrays.binarySearch(offsets, 0, size, offset) >= 0;
  }
}
