package gambit.core.testkit;

import gambit.core.limit.Limit;
import gambit.core.limit.Limits;

/** The default limits with a few changes. */
public final class TestLimits {
  private TestLimits() {}

  /** Limits the connections in all and per address (0: no limit per address). */
  public static Limits connections(int most, int byAddress) {
    return Limits.builder()
        .set(Limit.CONNECTIONS, most)
        .set(Limit.CONNECTIONS_BY_ADDRESS, byAddress)
        .build();
  }

  /** Limits the duration of an HTTP request. */
  public static Limits handshakeSeconds(int seconds) {
    return Limits.builder().set(Limit.HANDSHAKE_SECONDS, seconds).build();
  }

  /** Limits the stored events for one filter. */
  public static Limits maxLimit(int most) {
    return Limits.builder().set(Limit.DEFAULT_LIMIT, most).set(Limit.MAX_LIMIT, most).build();
  }
}
