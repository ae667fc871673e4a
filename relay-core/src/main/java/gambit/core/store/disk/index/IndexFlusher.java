package gambit.core.store.disk.index;

import gambit.core.log.LimitedLog;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The thread {@code index}, which applies committed changes to LMDB: many at a time, or few some
 * seconds after they were made. A commit waits for it only if the changes have reached their bound.
 */
public final class IndexFlusher implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(IndexFlusher.class);

  /** How long few changes wait for more, and a flush that failed for the next attempt. */
  private static final long DELAY_SECONDS = 5;

  /** A commit waits for a flush when there are this many times the bytes of one. */
  private static final int BOUND_FACTOR = 4;

  private final Index index;
  private final long bytesOfFlush;
  private final Semaphore wakeUps = new Semaphore(0);
  private volatile boolean hasFailed;
  private volatile boolean isClosed;

  /** Starts the thread; changes of that many bytes are applied without delay. */
  public IndexFlusher(Index index, long bytesOfFlush) {
    this.index = index;
    this.bytesOfFlush = bytesOfFlush;
    new Thread(this::run, "index").start();
  }

  /** Flushes if the changes have reached their bound. Any thread. */
  public void requireRoom() throws IOException {
    index.flushFrom(BOUND_FACTOR * bytesOfFlush);
  }

  /** Wakes the thread if there are many changes after a commit. Any thread. */
  public void committed() {
    if (!hasFailed && index.memory().bytes() >= bytesOfFlush && wakeUps.availablePermits() == 0) {
      wakeUps.release();
    }
  }

  private void run() {
    while (!isClosed) {
      try {
        wakeUps.tryAcquire(DELAY_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts this thread", e);
      }
      flush();
    }
  }

  private synchronized void flush() {
    try {
      if (!isClosed) {
        index.flush();
      }
      hasFailed = false;
    } catch (IOException e) {
      hasFailed = true;
      LOG.warn("The index could not be written; the next attempt follows in some seconds", e);
    }
  }

  /** Ends the thread, after a flush that is under way. Changes may be left. */
  @Override
  public synchronized void close() {
    isClosed = true;
    wakeUps.release();
  }
}
