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
  private final Thread thread;
  private final Semaphore wakeUps = new Semaphore(0);
  private volatile boolean hasFailed;
  private volatile boolean isClosed;

  /**
   * Starts the thread.
   *
   * @param bytesOfFlush changes that take so much memory are applied without delay
   */
  public IndexFlusher(Index index, long bytesOfFlush) {
    this.index = index;
    this.bytesOfFlush = bytesOfFlush;
    this.thread = new Thread(this::run, "index");
    this.thread.start();
  }

  /**
   * Flushes if the changes have reached their bound. Any thread.
   *
   * @throws IOException when LMDB cannot take them
   */
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
      if (!isClosed) {
        flush();
      }
    }
  }

  private void flush() {
    try {
      index.flush();
      hasFailed = false;
    } catch (IOException e) {
      hasFailed = true;
      LOG.warn("The index could not be written; the next attempt follows in some seconds", e);
    }
  }

  /** Ends the thread and waits for it. Changes may be left. */
  @Override
  public void close() {
    isClosed = true;
    wakeUps.release();
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
