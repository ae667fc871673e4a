package gambit.core.store.disk.index;

import org.jspecify.annotations.Nullable;

/**
 * The committed changes of the index that LMDB does not have yet. They are collected and applied to
 * LMDB many at a time ({@link Index#flush}), since each transaction of LMDB copies all pages from
 * its changes to the roots.
 *
 * <p>A view of the index is a transaction of LMDB with the changes committed after it. A reader
 * takes the state first and begins its transaction then; the id of the transaction tells whether
 * they belong together ({@link State#over}). Readers never wait.
 *
 * <p>Threads: readers any; {@link #add} the holder of the store's write lock; the other methods the
 * thread that flushes, one at a time.
 */
final class IndexMemory {
  private static final long NONE = -1;

  private volatile State state;

  /**
   * The changes over one transaction of LMDB.
   *
   * @param older changes that are being applied to it, or will be next
   * @param newer changes that were committed after those
   */
  record Layers(IndexRuns older, IndexRuns newer) {
    static final Layers NONE = new Layers(IndexRuns.NONE, IndexRuns.NONE);

    boolean isEmpty() {
      return older.isEmpty() && newer.isEmpty();
    }
  }

  /**
   * The index as of one commit.
   *
   * @param base the id of LMDB's last transaction
   * @param flush the id of the running transaction that applies the older changes, or -1
   */
  private record State(long base, long flush, Layers layers) {
    /** The changes over the LMDB transaction with that id; null if this state is too old for it. */
    @Nullable Layers over(long id) {
      if (id == base) {
        return layers;
      }
      return id == flush ? new Layers(IndexRuns.NONE, layers.newer()) : null;
    }
  }

  IndexMemory(long base) {
    this.state = new State(base, NONE, Layers.NONE);
  }

  /** Begins to read the last commit with a view that is not in use. */
  <V extends IndexView> V show(V view) {
    while (true) {
      State current = state;
      view.renew();
      Layers layers = current.over(view.txn().id());
      if (layers != null) {
        view.show(layers);
        return view;
      }
      view.txn().reset(); // LMDB has a flush that ended after the state was read
    }
  }

  public long bytes() {
    Layers layers = state.layers();
    return layers.older().memoryBytes() + layers.newer().memoryBytes();
  }

  synchronized void add(IndexRuns.Run changes) {
    Layers layers = state.layers();
    Layers more = new Layers(layers.older(), layers.newer().plus(changes));
    state = new State(state.base(), state.flush(), more);
  }

  /** Whether there are changes of a flush that has not ended. */
  boolean isFrozen() {
    return !state.layers().older().isEmpty();
  }

  /**
   * The changes that are to be applied next: those of a flush that failed, or all. Later ones are
   * collected apart from them.
   */
  synchronized IndexRuns freeze() {
    State current = state;
    if (current.layers().older().isEmpty()) {
      state = new State(current.base(), NONE, new Layers(current.layers().newer(), IndexRuns.NONE));
    }
    return state.layers().older();
  }

  /** The frozen changes will be in LMDB's transaction with that id. */
  synchronized void beginFlush(long id) {
    state = new State(state.base(), id, state.layers());
  }

  synchronized void endFlush() {
    State current = state;
    state = new State(current.flush(), NONE, new Layers(IndexRuns.NONE, current.layers().newer()));
  }

  synchronized void cancelFlush() {
    state = new State(state.base(), NONE, state.layers());
  }
}
