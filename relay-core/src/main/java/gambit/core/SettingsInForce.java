package gambit.core;

import gambit.core.limit.CurrentLimits;
import gambit.core.rate.RateLimiter;

/** The changeable settings of a running relay, for the parts that read them. Thread-safe. */
final class SettingsInForce {
  private final CurrentLimits limits;
  private final RateLimiter rates;
  private volatile ChangeableSettings now;

  SettingsInForce(ChangeableSettings initial) {
    now = initial;
    limits = new CurrentLimits(initial.limits());
    rates = new RateLimiter(initial.rates(), System::nanoTime);
  }

  ChangeableSettings now() {
    return now;
  }

  CurrentLimits limits() {
    return limits;
  }

  RateLimiter rates() {
    return rates;
  }

  /** As {@link Relay#change}, which makes one call at a time. */
  void change(ChangeableSettings changed) {
    if (!changed.nips().off().equals(now.nips().off())) {
      throw new IllegalArgumentException("NIPs cannot be switched while the relay runs");
    }
    limits.change(changed.limits());
    rates.change(changed.rates());
    now = changed;
  }
}
