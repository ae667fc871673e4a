package gambit.core.testkit;

import gambit.core.session.Limits;

/** The default limits but for a few. */
public final class TestLimits {
  private TestLimits() {}

  /** So many clients in all, and at one address (0: as many as there are). */
  public static Limits connections(int most, int byAddress) {
    Limits usual = Limits.DEFAULT;
    return with(most, byAddress, usual.handshakeSeconds(), usual.defaultLimit(), usual.maxLimit());
  }

  /** So long may a request over HTTP take. */
  public static Limits handshake(int seconds) {
    Limits usual = Limits.DEFAULT;
    return with(usual.connections(), 0, seconds, usual.defaultLimit(), usual.maxLimit());
  }

  /** So many stored events for one filter. */
  public static Limits stored(int most) {
    Limits usual = Limits.DEFAULT;
    return with(usual.connections(), 0, usual.handshakeSeconds(), most, most);
  }

  private static Limits with(
      int connections,
      int connectionsByAddress,
      int handshakeSeconds,
      int defaultLimit,
      int maxLimit) {
    Limits usual = Limits.DEFAULT;
    return new Limits(
        usual.messageBytes(),
        usual.eventTags(),
        usual.tagValueLength(),
        connections,
        usual.subscriptions(),
        usual.filters(),
        usual.filterValues(),
        defaultLimit,
        maxLimit,
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
