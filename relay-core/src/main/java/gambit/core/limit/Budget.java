package gambit.core.limit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A bound on an amount, such as bytes or values, that is reserved before use. The bound may change:
 * what is reserved beyond a lowered one stays reserved, and nothing more is until enough has been
 * released. Thread-safe.
 */
public final class Budget {
  private final LongSupplier limit;
  private final AtomicLong used = new AtomicLong();

  /** A budget with a fixed bound. */
  public Budget(long limit) {
    this(() -> limit);
  }

  /**
   * A budget with a bound that may change.
   *
   * @param limit the bound in force
   */
  public Budget(LongSupplier limit) {
    this.limit = limit;
  }

  /** Reserves the amount if it fits; returns whether it did. */
  public boolean reserve(long amount) {
    if (used.addAndGet(amount) > limit.getAsLong()) {
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
