package gambit.core.store.disk.index;

import java.util.Arrays;

/**
 * Changes of the index as runs, the oldest first; a newer run counts where several have a key. Runs
 * are merged as they are added, so that each is at least twice as large as the next one: their
 * number grows with the logarithm of their size. Immutable.
 */
final class IndexRuns {
  static final IndexRuns NONE = new IndexRuns();

  private final Run[] runs;
  private final long memoryBytes;

  private IndexRuns(Run... runs) {
    this.runs = runs;
    long sum = 0;
    for (Run run : runs) {
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

  IndexRuns plus(Run later) {
    int kept = runs.length;
    int size = later.size();
    while (kept > 0 && runs[kept - 1].size() < 2 * size) {
      size += runs[--kept].size();
    }
    Run[] all = Arrays.copyOf(runs, kept + 1);
    all[kept] = kept == runs.length ? later : Run.merged(runs, kept, later);
    return new IndexRuns(all);
  }

  Run merged() {
    int last = runs.length - 1;
    return last == 0 ? runs[0] : Run.merged(Arrays.copyOf(runs, last), 0, runs[last]);
  }

  void addTo(TableCursor shown, Table table) {
    for (Run run : runs) {
      shown.addChanges(run.changes, run.start(table), run.end(table));
    }
  }

  /**
   * Changes of the index in the order of their tables, and of their keys in each table; one for
   * each key. Immutable.
   */
  static final class Run {
    private final byte[][] changes; // may be longer than its content
    private final int[] ends; // of each table's changes, by the table's ordinal
    private final long memoryBytes;

    private Run(byte[][] changes, int[] ends, long memoryBytes) {
      this.changes = changes;
      this.ends = ends;
      this.memoryBytes = memoryBytes;
    }

    /** The run of a transaction's sorted changes of each table. */
    static Run of(IndexWriter.PendingChanges[] tables) {
      int size = 0;
      for (IndexWriter.PendingChanges table : tables) {
        size += table.size();
      }
      byte[][] changes = new byte[size][];
      int[] ends = new int[tables.length];
      int at = 0;
      for (int i = 0; i < tables.length; i++) {
        at = tables[i].copyTo(changes, at);
        ends[i] = at;
      }
      long bytes = 0;
      for (byte[] change : changes) {
        bytes += IndexChange.memoryBytes(change);
      }
      return new Run(changes, ends, bytes);
    }

    /** One run of the newest and the older ones from {@code first} on; a newer change counts. */
    static Run merged(Run[] older, int first, Run newest) {
      int start = 0;
      for (int i = first; i < older.length; i++) {
        start += older[i].size();
      }
      byte[][] merged = new byte[start + newest.size()][];
      System.arraycopy(newest.changes, 0, merged, start, newest.size());
      int[] ends = newest.ends.clone();
      long bytes = newest.memoryBytes;
      for (int i = older.length - 1; i >= first; i--) {
        start -= older[i].size();
        bytes += older[i].memoryBytes - older[i].mergeInto(merged, start, ends);
      }
      return new Run(merged, ends, bytes);
    }

    /**
     * Merges this run with newer changes in their array. The result begins where there is room for
     * this run before the newer changes, so no change is overwritten before it has its new place.
     *
     * @param start where the result begins
     * @param newerEnds the ends of each table's newer changes, counted from the first one; then
     *     those of the result
     * @return the memory of the changes of this run that are replaced
     */
    private long mergeInto(byte[][] all, int start, int[] newerEnds) {
      int newerStart = start + size();
      int newer = newerStart;
      int own = 0;
      int at = start;
      long replaced = 0;
      for (int table = 0; table < ends.length; table++) {
        int ownEnd = ends[table];
        int newerEnd = newerStart + newerEnds[table];
        while (own < ownEnd && newer < newerEnd) {
          int order = IndexChange.compareKeys(changes[own], all[newer]);
          if (order < 0) {
            all[at++] = changes[own++];
          } else {
            all[at++] = all[newer++];
            if (order == 0) {
              replaced += IndexChange.memoryBytes(changes[own++]);
            }
          }
        }
        System.arraycopy(changes, own, all, at, ownEnd - own);
        at += ownEnd - own;
        own = ownEnd;
        System.arraycopy(all, newer, all, at, newerEnd - newer);
        at += newerEnd - newer;
        newer = newerEnd;
        newerEnds[table] = at - start;
      }
      return replaced;
    }

    long memoryBytes() {
      return memoryBytes;
    }

    int size() {
      return ends[ends.length - 1];
    }

    byte[] get(int i) {
      return changes[i];
    }

    int start(Table table) {
      return table.index() == 0 ? 0 : ends[table.index() - 1];
    }

    int end(Table table) {
      return ends[table.index()];
    }
  }
}
