package gambit.core.store.disk.index;

/**
 * The changes over one transaction of LMDB: those that are being applied to it, and later ones.
 *
 * @param older changes that were committed first
 * @param newer changes that were committed after those
 */
record IndexLayers(IndexRuns older, IndexRuns newer) {
  static final IndexLayers NONE = new IndexLayers(IndexRuns.NONE, IndexRuns.NONE);

  boolean isEmpty() {
    return older.isEmpty() && newer.isEmpty();
  }
}
