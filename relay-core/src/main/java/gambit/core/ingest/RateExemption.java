package gambit.core.ingest;

import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits.Verb;

/**
 * Exempts the awaited events of one connection from rate limits, until too many of them were
 * awaited in vain: answered before their handler received them. Confined to the connection's event
 * loop.
 */
public final class RateExemption {
  /** Number of events awaited in vain after which rate limits apply to awaited events, too. */
  private static final int MAX_IN_VAIN = 16;

  private final RateLimiter rates;
  private final ClientAddress address;
  private int inVain;

  public RateExemption(RateLimiter rates, ClientAddress address) {
    this.rates = rates;
    this.address = address;
  }

  public boolean exempts(ClaimedEvent claim) {
    return inVain < MAX_IN_VAIN && claim.isAwaited();
  }

  /** The event was a forgery, and cost a signature check to which no rate limit was applied. */
  void forged() {
    inVain = MAX_IN_VAIN;
    rates.secondsToWait(Verb.INVALID, address);
  }

  /**
   * The event was a duplicate, or was refused by a gate. An honest client may send an event twice,
   * so that this ends the exemption later.
   */
  void answered() {
    inVain++;
  }
}
