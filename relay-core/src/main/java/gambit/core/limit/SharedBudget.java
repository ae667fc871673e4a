package gambit.core.limit;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A bound on an amount that all clients hold together, with a share for each owner, an address or a
 * key: none may hold more than is free, so one alone gets at most half of the bound, and two a
 * third each. What an owner reserves while it holds nothing need only fit. An amount without owners
 * is bounded as a whole only. The bound may change: what is reserved beyond a lowered one stays
 * reserved, and nothing more is until enough has been released. Thread-safe.
 */
public final class SharedBudget {
  private final LongSupplier limit;
  private final AtomicLong used = new AtomicLong();
  private final ConcurrentHashMap<Object, Long> held = new ConcurrentHashMap<>();

  public SharedBudget(long limit) {
    this(() -> limit);
  }

  public SharedBudget(LongSupplier limit) {
    this.limit = limit;
  }

  /** Reserves the amount if it fits and each owner's share allows it; returns whether it did. */
  public boolean reserve(Set<?> owners, long amount) {
    if (add(owners, amount, limit.getAsLong())) {
      return true;
    }
    release(owners, amount);
    return false;
  }

  /** Reserves the amount in any case; returns whether it fits into that bound and all shares. */
  public boolean add(Set<?> owners, long amount, long bound) {
    long free = bound - used.addAndGet(amount);
    boolean isInBounds = free >= 0;
    for (Object owner : owners) {
      long now = held.merge(owner, amount, Long::sum);
      isInBounds &= now <= free || now == amount;
    }
    return isInBounds;
  }

  /** Counts an amount that is reserved for a further owner, too. */
  public void share(Object owner, long amount) {
    if (amount != 0) {
      held.merge(owner, amount, Long::sum);
    }
  }

  public void release(Set<?> owners, long amount) {
    used.addAndGet(-amount);
    for (Object owner : owners) {
      held.compute(owner, (same, now) -> now == null || now == amount ? null : now - amount);
    }
  }

  public long used() {
    return used.get();
  }

  public long held(Object owner) {
    return held.getOrDefault(owner, 0L);
  }
}
