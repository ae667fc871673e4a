package gambit.core.session;

import java.util.concurrent.atomic.AtomicLong;

/** A bound on bytes that wait, reserved before they are queued. Any thread. */
public final class ByteBudget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  public ByteBudget(long limit) {
    this.limit = limit;
  }

  /** Reserves so many bytes, or none when they do not fit any more. */
  public boolean reserve(long bytes) {
    if (used.addAndGet(bytes) > limit) {
      used.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  public void release(long bytes) {
    used.addAndGet(-bytes);
  }

  public long used() {
    return used.get();
  }
}
