package gambit.core.store.disk.query;

import java.util.Arrays;

/** A binary heap of key ranges: the one whose head is served first is on top. One thread. */
final class RangeHeap {
  private KeyRange[] ranges = new KeyRange[1];
  private int size;

  void clear() {
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** The range whose head is served first; the heap must not be empty. */
  KeyRange top() {
    return ranges[0];
  }

  void add(KeyRange range) {
    if (size == ranges.length) {
      ranges = Arrays.copyOf(ranges, 2 * size);
    }
    int at = size++;
    while (at > 0 && range.isBefore(ranges[(at - 1) / 2])) {
      ranges[at] = ranges[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    ranges[at] = range;
  }

  /** Restores the order after the head of the top range has changed. */
  void updateTop() {
    sink(ranges[0]);
  }

  void removeTop() {
    KeyRange last = ranges[--size];
    if (size > 0) {
      sink(last);
    }
  }

  /** Puts a range in the place of the top one. */
  private void sink(KeyRange range) {
    int at = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size && ranges[child + 1].isBefore(ranges[child])) {
        child++;
      }
      if (!ranges[child].isBefore(range)) {
        break;
      }
      ranges[at] = ranges[child];
      at = child;
      child = 2 * at + 1;
    }
    ranges[at] = range;
  }
}
