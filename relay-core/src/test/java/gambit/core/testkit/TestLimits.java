package gambit.core.testkit;

import gambit.core.session.Limits;

/** The default limits but for a few. */
public final class TestLimits {
  private TestLimits() {}

  /** So many clients in all, and at one address (0: as many as there are). */
  public static Limits connections(int most, int byAddress) {
    return with(most, byAddress, Limits.DEFAULT.handshakeSeconds());
  }

  /** So long may a request over HTTP take. */
  public static Limits handshake(int seconds) {
    return with(Limits.DEFAULT.connections(), 0, seconds);
  }

  private static Limits with(int connections, int connectionsByAddress, int handshakeSeconds) {
    Limits usual = Limits.DEFAULT;
    return new Limits(
        usual.messageBytes(),
        usual.eventTags(),
        usual.tagValueLength(),
        connections,
        usual.subscriptions(),
        usual.filters(),
        usual.filterValues(),
        usual.defaultLimit(),
        usual.maxLimit(),
        usual.eventsUnderWay(),
        usual.outboxBytes(),
        usual.allOutboxBytes(),
        usual.allFilterValues(),
        usual.silentSeconds(),
        usual.secondsAhead(),
        handshakeSeconds,
        connectionsByAddress);
  }
}
