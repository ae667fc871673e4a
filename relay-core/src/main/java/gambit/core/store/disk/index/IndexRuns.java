package gambit.core.store.disk.index;

import java.util.Arrays;

/**
 * Changes of the index as runs, the oldest first; a newer run counts where several have a key. Runs
 * are merged as they are added, so that each is at least twice as large as the next one: their
 * number grows with the logarithm of their size. Immutable.
 */
final class IndexRuns {
  static final IndexRuns NONE = new IndexRuns();

  private final IndexRun[] runs;
  private final long memoryBytes;

  private IndexRuns(IndexRun... runs) {
    this.runs = runs;
    long sum = 0;
    for (IndexRun run : runs) {
      sum += run.memoryBytes();
    }
    this.memoryBytes = sum;
  }

  long memoryBytes() {
    return memoryBytes;
  }

  boolean isEmpty() {
    return runs.length == 0;
  }

  IndexRuns plus(IndexRun later) {
    int kept = runs.length;
    int size = later.size();
    while (kept > 0 && runs[kept - 1].size() < 2 * size) {
      size += runs[--kept].size();
    }
    IndexRun[] all = Arrays.copyOf(runs, kept + 1);
    all[kept] = kept == runs.length ? later : IndexRun.merged(runs, kept, later);
    return new IndexRuns(all);
  }

  IndexRun merged() {
    int last = runs.length - 1;
    return last == 0 ? runs[0] : IndexRun.merged(Arrays.copyOf(runs, last), 0, runs[last]);
  }

  void addTo(TableCursor shown, Table table) {
    for (IndexRun run : runs) {
      run.addTo(shown, table);
    }
  }
}
