package gambit.core.session;

import gambit.core.model.SharedJson;
import gambit.core.wire.Frame;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A frame whose bytes are reserved in a client's {@link Outbox}. Frames of one event that are
 * reserved in succession, as for many subscriptions of the client, hold the event once.
 * Thread-safe.
 */
public final class ReservedFrame {
  private final Frame frame;
  private final AtomicInteger holders; // the frames that hold the event together, not released

  public ReservedFrame(Frame frame) {
    this(frame, new AtomicInteger(1));
  }

  private ReservedFrame(Frame frame, AtomicInteger holders) {
    this.frame = frame;
    this.holders = holders;
  }

  public Frame frame() {
    return frame;
  }

  /** A further frame of the same event; null if it has another one, or all are released. */
  public @Nullable ReservedFrame another(Frame next) {
    SharedJson shared = next.shared();
    if (shared == null
        || shared != frame.shared()
        || holders.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
      return null;
    }
    return new ReservedFrame(next, holders);
  }

  /** Releases this frame; returns whether it was the last that held its event. */
  public boolean release() {
    return holders.decrementAndGet() == 0;
  }

  public boolean isWith(@Nullable ReservedFrame other) {
    return other != null && other.holders == holders;
  }
}
