package gambit.core.testkit;

import gambit.core.session.Limit;
import gambit.core.session.Limits;

/** The default limits but for a few. */
public final class TestLimits {
  private TestLimits() {}

  /** So many clients in all, and at one address (0: as many as there are). */
  public static Limits connections(int most, int byAddress) {
    return Limits.builder()
        .set(Limit.CONNECTIONS, most)
        .set(Limit.CONNECTIONS_BY_ADDRESS, byAddress)
        .build();
  }

  /** So long may a request over HTTP take. */
  public static Limits handshakeSeconds(int seconds) {
    return Limits.builder().set(Limit.HANDSHAKE_SECONDS, seconds).build();
  }

  /** So many stored events for one filter. */
  public static Limits maxLimit(int most) {
    return Limits.builder().set(Limit.DEFAULT_LIMIT, most).set(Limit.MAX_LIMIT, most).build();
  }
}
