package gambit.core.limit;

import java.util.concurrent.atomic.AtomicLong;

/** A bound on an amount, such as bytes or values, that is reserved before use. Thread-safe. */
public final class Budget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  public Budget(long limit) {
    this.limit = limit;
  }

  /** Reserves the amount if it fits; returns whether it did. */
  public boolean reserve(long amount) {
    if (used.addAndGet(amount) > limit) {
      used.addAndGet(-amount);
      return false;
    }
    return true;
  }

  /** Reserves the amount even beyond the bound, for what replaces something reserved. */
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
