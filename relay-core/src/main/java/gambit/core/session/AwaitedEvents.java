package gambit.core.session;

import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.ingest.Ingest;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits.Verb;

/**
 * Exempts the awaited events of one connection from rate limits, until too many of them were
 * awaited in vain. Confined to the connection's event loop.
 */
final class AwaitedEvents implements Ingest.AwaitedEventListener {
  /** Number of events awaited in vain after which rate limits apply to awaited events, too. */
  private static final int MAX_IN_VAIN = 16;

  private final RateLimiter rates;
  private final ClientAddress address;
  private int inVain;

  AwaitedEvents(RateLimiter rates, ClientAddress address) {
    this.rates = rates;
    this.address = address;
  }

  /** Whether rate limits do not apply to the claimed event. */
  boolean exempts(ClaimedEvent claim) {
    return inVain < MAX_IN_VAIN && claim.isAwaited();
  }

  /** The event was a forgery, and cost a signature check to which no rate limit was applied. */
  @Override
  public void forged() {
    inVain = MAX_IN_VAIN;
    rates.secondsToWait(Verb.INVALID, address);
  }

  /** An honest client may send an event twice, so that this ends the exemption later. */
  @Override
  public void answered() {
    inVain++;
  }
}
