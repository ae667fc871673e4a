package gambit.core.session;

import gambit.core.model.SharedJson;
import gambit.core.wire.Frame;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A frame whose bytes are reserved in a client's {@link Outbox}. Frames of one event that are
 * reserved in succession, as for many subscriptions of the client, hold the event once.
 * Thread-safe.
 */
public final class ReservedFrame {
  private static final AtomicIntegerFieldUpdater<ReservedFrame> FRAMES =
      AtomicIntegerFieldUpdater.newUpdater(ReservedFrame.class, "frames");

  private final Frame frame;
  private final ReservedFrame first; // of the frames that hold the event together
  private volatile int frames = 1; // of these, the number not released; counted at the first
  @Nullable ReservedFrame next; // in the order of its queue, which owns it

  public ReservedFrame(Frame frame) {
    this.frame = frame;
    this.first = this;
  }

  private ReservedFrame(Frame frame, ReservedFrame first) {
    this.frame = frame;
    this.first = first;
  }

  public Frame frame() {
    return frame;
  }

  /** A further frame of the same event; null if it has another one, or all are released. */
  public @Nullable ReservedFrame another(Frame next) {
    SharedJson shared = next.shared();
    if (shared == null || shared != first.frame.shared() || first.frames == 0) {
      return null;
    }
    int before = FRAMES.getAndUpdate(first, count -> count == 0 ? 0 : count + 1);
    return before == 0 ? null : new ReservedFrame(next, first);
  }

  /** Releases this frame; returns whether it was the last that held its event. */
  public boolean release() {
    return FRAMES.decrementAndGet(first) == 0;
  }

  public boolean isWith(@Nullable ReservedFrame other) {
    return other != null && other.first == first;
  }

  /**
   * The frames that wait for one client, in the order in which they were added. The frames are
   * linked to each other, so an empty queue holds nothing: with a node for each, as in a queue of
   * java.util.concurrent, each of thousands of clients would keep one that a collection copies.
   *
   * <p>Any thread adds; one thread takes. A frame is in one queue, and once.
   */
  public static final class Queue {
    private static final AtomicReferenceFieldUpdater<Queue, @Nullable ReservedFrame> NEWEST =
        AtomicReferenceFieldUpdater.newUpdater(Queue.class, ReservedFrame.class, "newest");

    private volatile @Nullable ReservedFrame
        newest; // of those that were added, linked to older ones
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
}
