package gambit.core.limit;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The limits in force, which may change while the relay runs. A limit is read whenever it is
 * applied, at the cost of a volatile read; what several limits decide together is read from one
 * {@link #now}. A lowered limit takes nothing back, except the bounds on outboxes: nothing more is
 * granted until enough has been released. Thread-safe.
 */
public final class CurrentLimits {
  private final Map<Limit, LongSupplier> values = new EnumMap<>(Limit.class);
  private volatile LimitValues now;

  public CurrentLimits(LimitValues limits) {
    now = limits;
    for (Limit limit : Limit.values()) {
      values.put(limit, () -> now.getLong(limit));
    }
  }

  public LimitValues now() {
    return now;
  }

  /** The value in force of a limit that is not in {@link Limit.Unit#TOTAL_BYTES}. */
  public int get(Limit limit) {
    return now.get(limit);
  }

  /** Reads the value in force of a limit, for those who apply it often. */
  public LongSupplier of(Limit limit) {
    return Objects.requireNonNull(values.get(limit));
  }

  /** Puts other limits in force. One thread at a time. */
  public void change(LimitValues limits) {
    now = limits;
  }
}
