package gambit.core.store.disk;

/**
 * The changes over one transaction of LMDB: those that are being applied to it, and later ones.
 *
 * @param older changes that were committed first
 * @param newer changes that were committed after those
 */
record IndexLayers(IndexOverlay older, IndexOverlay newer) {
  static final IndexLayers NONE = new IndexLayers(IndexOverlay.EMPTY, IndexOverlay.EMPTY);

  boolean isEmpty() {
    return older.isEmpty() && newer.isEmpty();
  }

  /** All changes of a table. */
  IndexRuns runs(Table table) {
    return IndexRuns.concatenated(older.runs(table), newer.runs(table), IndexRuns.NONE);
  }
}
