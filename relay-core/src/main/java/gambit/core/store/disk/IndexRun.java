package gambit.core.store.disk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Changes of one index table in the order of their keys, one for each key. Immutable. */
final class IndexRun {
  private final IndexChange[] changes;
  private final long memoryBytes;

  private IndexRun(IndexChange[] changes, long memoryBytes) {
    this.changes = changes;
    this.memoryBytes = memoryBytes;
  }

  /** The run of changes in the order in which they were made; the last one of a key counts. */
  static IndexRun of(List<IndexChange> made) {
    IndexChange[] sorted = made.toArray(IndexChange[]::new);
    if (sorted.length == 1) {
      return new IndexRun(sorted, sorted[0].memoryBytes());
    }
    Arrays.sort(sorted, IndexChange.BY_KEY); // stable
    int size = 0;
    long bytes = 0;
    for (IndexChange change : sorted) {
      if (size > 0 && IndexChange.BY_KEY.compare(sorted[size - 1], change) == 0) {
        bytes -= sorted[--size].memoryBytes();
      }
      sorted[size++] = change;
      bytes += change.memoryBytes();
    }
    return new IndexRun(size == sorted.length ? sorted : Arrays.copyOf(sorted, size), bytes);
  }

  /** One run of two; the newer one counts where both have a key. */
  static IndexRun merged(IndexRun older, IndexRun newer) {
    IndexChange[] a = older.changes;
    IndexChange[] b = newer.changes;
    IndexChange[] merged = new IndexChange[a.length + b.length];
    long bytes = older.memoryBytes + newer.memoryBytes;
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < a.length && j < b.length) {
      int order = IndexChange.BY_KEY.compare(a[i], b[j]);
      if (order < 0) {
        merged[size++] = a[i++];
      } else {
        merged[size++] = b[j++];
        if (order == 0) {
          bytes -= a[i++].memoryBytes();
        }
      }
    }
    System.arraycopy(a, i, merged, size, a.length - i);
    size += a.length - i;
    System.arraycopy(b, j, merged, size, b.length - j);
    size += b.length - j;
    return new IndexRun(size == merged.length ? merged : Arrays.copyOf(merged, size), bytes);
  }

  /** About how much memory the changes take. */
  long memoryBytes() {
    return memoryBytes;
  }

  int size() {
    return changes.length;
  }

  IndexChange get(int i) {
    return changes[i];
  }

  /** The number of changes whose keys are before the given one. */
  int before(long prefix, ByteBuffer key) {
    int from = 0;
    int to = changes.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (changes[middle].compareKeyTo(prefix, key) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
