package gambit.core.store.disk.index;

import gambit.core.log.LimitedLog;
import java.io.IOException;
import java.time.Duration;

/**
 * The thread {@code index}, which applies committed changes to LMDB: many at a time, or few some
 * seconds after the first. A commit waits for it only if the changes have reached their bound.
 */
public final class IndexFlusher implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(IndexFlusher.class);

  /** How long few changes wait for more, and a flush that failed for the next attempt. */
  private static final Duration DELAY = Duration.ofSeconds(5);

  /** A commit waits for a flush when there are this many times the bytes of one. */
  private static final int BOUND_FACTOR = 4;

  private final Index index;
  private final IndexMemory memory;
  private final long bytesOfFlush;
  private final Thread thread;

  /**
   * Starts the thread.
   *
   * @param bytesOfFlush changes that take so much memory are applied without delay
   */
  public IndexFlusher(Index index, long bytesOfFlush) {
    this.index = index;
    this.memory = index.memory();
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

  private void run() {
    try {
      long awaited = bytesOfFlush;
      while (memory.awaitChanges(awaited, DELAY)) {
        awaited = hasFlushed() ? bytesOfFlush : Long.MAX_VALUE;
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private boolean hasFlushed() {
    try {
      index.flush();
      return true;
    } catch (IOException e) {
      LOG.warn("The index could not be written; the next attempt follows in some seconds", e);
      return false;
    }
  }

  /** Ends the thread and waits for it. Changes may be left. */
  @Override
  public void close() {
    memory.endWaiting();
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
