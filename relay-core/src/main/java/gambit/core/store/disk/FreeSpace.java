package gambit.core.store.disk;

import gambit.core.log.LimitedLog;
import gambit.core.store.disk.log.LogFiles;
import java.io.IOException;
import java.nio.file.FileStore;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The free space on the disks of the log and the index, and the least with which events of clients
 * are stored. While there is plenty, it is measured once a second, otherwise at each call. Any
 * thread.
 */
final class FreeSpace {
  private static final LimitedLog LOG = LimitedLog.of(DiskEventStore.class);

  /** More than the minimum by so much is plenty: no disk is filled with it within a second. */
  static final long PLENTY_BYTES = 2L << 30;

  private static final long PERIOD_MILLIS = 1000;

  private final LogFiles log;
  private final FileStore index;
  private final AtomicBoolean isFull = new AtomicBoolean(); // as last logged
  private final InstantSource time;
  private volatile long minBytes;
  private volatile long plentyAt = Long.MAX_VALUE; // when there was plenty last, in milliseconds

  FreeSpace(LogFiles log, FileStore index, long minBytes, InstantSource time) {
    this.log = log;
    this.index = index;
    this.time = time;
    this.minBytes = minBytes;
  }

  void setMinimum(long bytes) {
    minBytes = bytes;
    plentyAt = Long.MAX_VALUE;
  }

  /** Whether there is as much free space as required; also if it cannot be determined. */
  boolean isEnough() {
    long now = time.millis();
    long minimum = minBytes;
    if (now >= plentyAt && now - plentyAt < PERIOD_MILLIS) {
      return true;
    }
    try {
      long freeBytes = Math.min(log.usableBytes(), index.getUsableSpace());
      if (freeBytes - minimum >= PLENTY_BYTES) {
        plentyAt = now;
      }
      logIfFullOrRoomyAgain(freeBytes, minimum);
      return freeBytes >= minimum;
    } catch (IOException e) {
      LOG.warn("The free space on the disk could not be determined", e);
      return true;
    }
  }

  /** Logs each change once, however many events are refused meanwhile. */
  private void logIfFullOrRoomyAgain(long freeBytes, long minimum) {
    boolean full = freeBytes < minimum;
    if (isFull.compareAndSet(!full, full)) {
      if (full) {
        LOG.warn(
            "The store is full: {} MB are free on its disk, store.min_free is {} MB."
                + " Events of clients are refused until there is room",
            freeBytes >> 20,
            minimum >> 20);
      } else {
        LOG.info(
            "The store has room again: {} MB are free on its disk. Events of clients are stored",
            freeBytes >> 20);
      }
    }
  }
}
