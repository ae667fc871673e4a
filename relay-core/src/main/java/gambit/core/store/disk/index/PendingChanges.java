package gambit.core.store.disk.index;

import java.util.Arrays;

/**
 * The changes that a transaction has made to one table of the index. They are sorted when they are
 * read; then there is one for each key, the last one made. One thread.
 */
final class PendingChanges {
  /** So many new changes are inserted one by one into those that are sorted. */
  private static final int FEW = 8;

  /** A transaction leaves no larger array to the next one. */
  private static final int MAX_KEPT = 1 << 10;

  private static final byte[][] NOTHING = {};

  private byte[][] changes = NOTHING;
  private int size;
  private int sorted; // the number of changes at the start that are sorted

  int size() {
    return size;
  }

  void add(byte[] change) {
    if (size == changes.length) {
      changes = Arrays.copyOf(changes, Math.max(2, 2 * size));
    }
    changes[size++] = change;
  }

  /** Sorts the changes; returns false if they were sorted before. */
  boolean sort() {
    if (sorted == size) {
      return false;
    }
    if (size - sorted <= FEW) {
      insertNew();
    } else {
      sortAll();
    }
    return true;
  }

  private void insertNew() {
    int end = size;
    for (int i = sorted; i < end; i++) {
      byte[] change = changes[i];
      int at = placeOf(change);
      if (at == sorted || IndexChange.compareKeys(changes[at], change) != 0) {
        System.arraycopy(changes, at, changes, at + 1, sorted - at);
        sorted++;
      }
      changes[at] = change;
    }
    setSize(sorted);
  }

  /** The number of sorted changes whose keys are before that of the given one. */
  private int placeOf(byte[] change) {
    int from = 0;
    int to = sorted;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (IndexChange.compareKeys(changes[middle], change) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private void sortAll() {
    Arrays.sort(changes, 0, size, IndexChange.BY_KEY); // stable
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (distinct > 0 && IndexChange.compareKeys(changes[distinct - 1], changes[i]) == 0) {
        distinct--;
      }
      changes[distinct++] = changes[i];
    }
    sorted = distinct;
    setSize(distinct);
  }

  private void setSize(int fewer) {
    Arrays.fill(changes, fewer, size, null);
    size = fewer;
  }

  /** Copies the changes to an array; returns the index after the last one. */
  int copyTo(byte[][] to, int at) {
    System.arraycopy(changes, 0, to, at, size);
    return at + size;
  }

  /** Adds the sorted changes to those that a cursor shows, until they are sorted again. */
  void addTo(TableCursor shown) {
    shown.addChanges(changes, 0, sorted);
  }

  void clear() {
    if (changes.length > MAX_KEPT) {
      changes = NOTHING;
      size = 0;
    }
    setSize(0);
    sorted = 0;
  }
}
