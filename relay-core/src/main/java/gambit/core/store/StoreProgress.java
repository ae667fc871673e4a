package gambit.core.store;

/** Receives the progress of a check, a backup or a restore, on the thread that does the work. */
public interface StoreProgress {
  StoreProgress NONE = (done, total) -> {};

  /** Called often; {@code doneBytes} is at most the total. */
  void progress(long doneBytes, long totalBytes);
}
