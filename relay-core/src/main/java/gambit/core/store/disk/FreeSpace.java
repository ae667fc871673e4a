package gambit.core.store.disk;

import gambit.core.log.LimitedLog;
import java.io.IOException;
import java.nio.file.FileStore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The free space on the disks of the log and the index, and the least with which events of clients
 * are stored. Any thread.
 */
final class FreeSpace {
  private static final LimitedLog LOG = LimitedLog.of(DiskEventStore.class);

  private final LogFiles log;
  private final FileStore index;
  private final AtomicBoolean isFull = new AtomicBoolean(); // as last logged
  private volatile long minBytes;

  FreeSpace(LogFiles log, FileStore index, long minBytes) {
    this.log = log;
    this.index = index;
    this.minBytes = minBytes;
  }

  void setMinimum(long bytes) {
    minBytes = bytes;
  }

  /** Whether there is as much free space as required; also if it cannot be determined. */
  boolean isEnough() {
    try {
      long freeBytes = Math.min(log.usableBytes(), index.getUsableSpace());
      logIfFullOrRoomyAgain(freeBytes);
      return freeBytes >= minBytes;
    } catch (IOException e) {
      LOG.warn("The free space on the disk could not be determined", e);
      return true;
    }
  }

  /** Logs each change once, however many events are refused meanwhile. */
  private void logIfFullOrRoomyAgain(long freeBytes) {
    boolean full = freeBytes < minBytes;
    if (isFull.compareAndSet(!full, full)) {
      if (full) {
        LOG.warn(
            "The store is full: {} MB are free on its disk, store.min_free is {} MB."
                + " Events of clients are refused until there is room",
            freeBytes >> 20,
            minBytes >> 20);
      } else {
        LOG.info(
            "The store has room again: {} MB are free on its disk. Events of clients are stored",
            freeBytes >> 20);
      }
    }
  }
}
