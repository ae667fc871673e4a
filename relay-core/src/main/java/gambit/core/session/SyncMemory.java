package gambit.core.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.limit.Budget;

/** The bytes that one sync has reserved of those for all syncs. Thread-safe. */
final class SyncMemory {
  private final Budget all;

  @GuardedBy("this")
  private long held;

  @GuardedBy("this")
  private boolean isClosed;

  SyncMemory(Budget all) {
    this.all = all;
  }

  /** Reserves bytes; false if there is no room, or the sync has ended. */
  synchronized boolean reserve(long bytes) {
    if (isClosed || !all.reserve(bytes)) {
      return false;
    }
    held += bytes;
    return true;
  }

  synchronized void release(long bytes) {
    if (!isClosed) {
      held -= bytes;
      all.release(bytes);
    }
  }

  /** Releases everything, and reserves nothing any more. */
  synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      all.release(held);
    }
  }
}
