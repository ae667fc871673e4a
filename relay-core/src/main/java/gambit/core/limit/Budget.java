package gambit.core.limit;

import java.util.concurrent.atomic.AtomicLong;

/** A bound on something that is reserved before it is taken: bytes, values. Any thread. */
public final class Budget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  public Budget(long limit) {
    this.limit = limit;
  }

  /** Reserves so many, or none when they do not fit any more. */
  public boolean reserve(long amount) {
    if (used.addAndGet(amount) > limit) {
      used.addAndGet(-amount);
      return false;
    }
    return true;
  }

  /** Reserves so many, also beyond the bound: for what takes the place of something reserved. */
  public void add(long amount) {
    used.addAndGet(amount);
  }

  public void release(long amount) {
    used.addAndGet(-amount);
  }

  public long used() {
    return used.get();
  }
}
