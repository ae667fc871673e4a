package gambit.core.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.limit.SharedBudget;
import java.util.Set;

/** The bytes that one sync has reserved of those for all syncs. Thread-safe. */
final class SyncMemory {
  private final SharedBudget all;
  private final Set<Object> owners;

  @GuardedBy("this")
  private long held;

  @GuardedBy("this")
  private boolean isClosed;

  /**
   * Begins with nothing.
   *
   * @param owners of the connection when the sync begins
   */
  SyncMemory(SharedBudget all, Set<Object> owners) {
    this.all = all;
    this.owners = owners;
  }

  /** Reserves bytes; false if there is no room or share, or the sync has ended. */
  synchronized boolean reserve(long bytes) {
    if (isClosed || !all.reserve(owners, bytes)) {
      return false;
    }
    held += bytes;
    return true;
  }

  synchronized void release(long bytes) {
    if (!isClosed) {
      held -= bytes;
      all.release(owners, bytes);
    }
  }

  /** Releases everything, and reserves nothing any more. */
  synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      all.release(owners, held);
    }
  }
}
