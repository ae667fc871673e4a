package gambit.core.store.disk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one index table as runs, the oldest first; a newer run counts where several have a
 * key. Runs are merged as they are added, so that each is at least twice as large as the next one:
 * their number grows with the logarithm of their size. Immutable.
 */
final class IndexRuns {
  static final IndexRuns NONE = new IndexRuns();

  private final IndexRun[] runs;
  private final long memoryBytes;

  IndexRuns(IndexRun... runs) {
    this.runs = runs;
    long sum = 0;
    for (IndexRun run : runs) {
      sum += run.memoryBytes();
    }
    this.memoryBytes = sum;
  }

  /** About how much memory the changes take. */
  long memoryBytes() {
    return memoryBytes;
  }

  int count() {
    return runs.length;
  }

  IndexRun get(int i) {
    return runs[i];
  }

  /** These changes with a later run. */
  IndexRuns plus(IndexRun later) {
    int kept = runs.length;
    IndexRun last = later;
    while (kept > 0 && runs[kept - 1].size() < 2 * last.size()) {
      last = IndexRun.merged(runs[--kept], last);
    }
    IndexRun[] all = Arrays.copyOf(runs, kept + 1);
    all[kept] = last;
    return new IndexRuns(all);
  }

  /** These changes with later ones. */
  IndexRuns plus(IndexRuns later) {
    return later.runs.length == 0 ? this : plus(later.merged());
  }

  /** All changes in one run; there must be some. */
  IndexRun merged() {
    IndexRun merged = runs[runs.length - 1];
    for (int i = runs.length - 2; i >= 0; i--) {
      merged = IndexRun.merged(runs[i], merged);
    }
    return merged;
  }

  /** The runs of all of these, the oldest first. */
  static IndexRuns concatenated(IndexRuns oldest, IndexRuns newer, IndexRuns newest) {
    if (newer.runs.length == 0 && newest.runs.length == 0) {
      return oldest;
    }
    int count = oldest.runs.length + newer.runs.length + newest.runs.length;
    IndexRun[] all = Arrays.copyOf(oldest.runs, count);
    System.arraycopy(newer.runs, 0, all, oldest.runs.length, newer.runs.length);
    System.arraycopy(newest.runs, 0, all, count - newest.runs.length, newest.runs.length);
    return new IndexRuns(all);
  }

  /** The last change of a key, or null if there is none. */
  @Nullable IndexChange find(ByteBuffer key) {
    if (runs.length == 0) {
      return null;
    }
    long prefix = IndexChange.prefix(key);
    for (int i = runs.length - 1; i >= 0; i--) {
      int at = runs[i].before(prefix, key);
      if (at < runs[i].size() && runs[i].get(at).compareKeyTo(prefix, key) == 0) {
        return runs[i].get(at);
      }
    }
    return null;
  }
}
