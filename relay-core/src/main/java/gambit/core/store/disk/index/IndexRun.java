package gambit.core.store.disk.index;

/**
 * Changes of the index in the order of their tables, and of their keys in each table; one for each
 * key. Immutable.
 */
final class IndexRun {
  private final byte[][] changes; // may be longer than its content
  private final int[] ends; // of each table's changes, by the table's ordinal
  private final long memoryBytes;

  private IndexRun(byte[][] changes, int[] ends, long memoryBytes) {
    this.changes = changes;
    this.ends = ends;
    this.memoryBytes = memoryBytes;
  }

  /** The run of a transaction's sorted changes of each table. */
  static IndexRun of(PendingChanges[] tables) {
    int size = 0;
    for (PendingChanges table : tables) {
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
    return new IndexRun(changes, ends, bytes);
  }

  /** One run of the newest and the older ones from {@code first} on; a newer change counts. */
  static IndexRun merged(IndexRun[] older, int first, IndexRun newest) {
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
    return new IndexRun(merged, ends, bytes);
  }

  /**
   * Merges this run with newer changes in their array. The result begins where there is room for
   * this run before the newer changes, so no change is overwritten before it has its new place.
   *
   * @param start where the result begins
   * @param newerEnds the ends of each table's newer changes, counted from the first one; then those
   *     of the result
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

  void addTo(TableCursor shown, Table table) {
    shown.addChanges(changes, start(table), end(table));
  }
}
