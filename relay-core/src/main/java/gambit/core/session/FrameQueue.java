package gambit.core.session;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The frames that wait for one client, in the order in which they were added. The frames are linked
 * to each other, so an empty queue holds nothing: with a node for each, as in a queue of
 * java.util.concurrent, each of thousands of clients would keep one that a collection copies.
 *
 * <p>Any thread adds; one thread takes. A frame is in one queue, and once.
 */
public final class FrameQueue {
  private static final AtomicReferenceFieldUpdater<FrameQueue, @Nullable ReservedFrame> NEWEST =
      AtomicReferenceFieldUpdater.newUpdater(FrameQueue.class, ReservedFrame.class, "newest");

  private volatile @Nullable ReservedFrame newest; // of those that were added, linked to older ones
  private volatile @Nullable ReservedFrame oldest; // of those before, linked to newer ones

  /** Any thread. */
  public void add(ReservedFrame frame) {
    ReservedFrame before;
    do {
      before = newest;
      frame.next = before;
    } while (!NEWEST.compareAndSet(this, before, frame));
  }

  /** Whether all frames were taken. Any thread. */
  public boolean isEmpty() {
    return newest == null && oldest == null;
  }

  /** The oldest frame, which stays in the queue; null if there is none. The taking thread. */
  public @Nullable ReservedFrame peek() {
    ReservedFrame first = oldest;
    return first == null && newest != null ? turn() : first;
  }

  /** Takes the oldest frame; null if there is none. The taking thread. */
  public @Nullable ReservedFrame poll() {
    ReservedFrame first = peek();
    if (first != null) {
      oldest = first.next;
      first.next = null;
    }
    return first;
  }

  /** Takes the frames that were added, and links each to the one after it. */
  private @Nullable ReservedFrame turn() {
    ReservedFrame frame = newest;
    oldest = frame; // so that the queue is at no time empty for other threads
    frame = NEWEST.getAndSet(this, null);
    ReservedFrame newer = null;
    while (frame != null) {
      ReservedFrame older = frame.next;
      frame.next = newer;
      newer = frame;
      frame = older;
    }
    oldest = newer;
    return newer;
  }
}
