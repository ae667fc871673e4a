package gambit.core.session;

import gambit.core.limit.MemoryBound;
import gambit.core.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * The queue of frames waiting to be written to one client, bounded in bytes. The bytes of a frame
 * are reserved before it is queued, so that the bound holds for all threads together; beyond the
 * bound, the client is disconnected. Thread-safe; nothing blocks.
 *
 * <p>An event in several frames of the client is held and counted once; in the bound for all
 * clients it is counted once for all of them.
 */
public interface Outbox extends MemoryBound.Holder {
  default void send(Frame frame) {
    ReservedFrame reserved = reserve(frame);
    if (reserved != null) {
      sendReserved(reserved);
    }
  }

  /** Reserves the frame's bytes; null if the client is disconnected, now or before. */
  @Nullable ReservedFrame reserve(Frame frame);

  void sendReserved(ReservedFrame frame);

  /**
   * Queues a frame whose bytes have been reserved, to be written with those that follow: it waits
   * for the next {@link #sendReserved} or {@link #flush}, which the caller must ensure.
   */
  void queueReserved(ReservedFrame frame);

  void flush();

  /** Releases the bytes of a reserved frame that will not be sent. */
  void unreserve(ReservedFrame frame);

  /** Whether stored pages may be sent; false if too much is queued for the client or for all. */
  boolean isRoomy();

  /** Whether so much is queued for all clients that stored events are to be read one at a time. */
  boolean isScarce();

  /** A task that resumes when a client has taken the frames that were queued. */
  @FunctionalInterface
  interface WaitingTask {
    void resume();

    /** Whether its result is no longer needed: it then resumes early, to release what it holds. */
    default boolean isCancelled() {
      return false;
    }
  }

  /**
   * Resumes the task, on any thread, once the client has taken most of the queue; at once if the
   * outbox is closed. The frames queued before must have been flushed.
   */
  void whenDrained(WaitingTask task);

  /**
   * Resumes the task, on any thread, once stored pages may be sent: at once if they may be now or
   * the outbox is closed, else when the client has taken most of the queue. While too much is
   * queued for all clients, tasks of clients that hold nothing resume in the order of the calls.
   */
  void whenRoomy(WaitingTask task);

  void closeForRestart();
}
