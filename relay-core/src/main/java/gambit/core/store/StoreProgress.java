package gambit.core.store;

/** Receives the progress of a check, a backup or a restore, on the thread that does the work. */
public interface StoreProgress {
  /** A receiver that ignores it. */
  StoreProgress NONE = (done, total) -> {};

  /**
   * Called often.
   *
   * @param doneBytes at most the total
   */
  void progress(long doneBytes, long totalBytes);
}
