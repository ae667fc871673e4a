package gambit.core.session;

import gambit.core.model.SharedJson;
import gambit.core.wire.Frame;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
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
  @Nullable ReservedFrame next; // in the order of its FrameQueue, which owns it

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

  /** Whether both frames hold one event together. */
  public boolean isWith(@Nullable ReservedFrame other) {
    return other != null && other.first == first;
  }
}
