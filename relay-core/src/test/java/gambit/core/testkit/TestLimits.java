package gambit.core.testkit;

import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import java.util.EnumMap;
import java.util.Map;

/** The default limits with a few changes. */
public final class TestLimits {
  private TestLimits() {}

  /** Limits the connections in all and per address (0: no limit per address). */
  public static LimitValues connections(int most, int byAddress) {
    return builder()
        .set(Limit.CONNECTIONS, most)
        .set(Limit.CONNECTIONS_BY_ADDRESS, byAddress)
        .build();
  }

  /** Limits the duration of an HTTP request. */
  public static LimitValues handshakeSeconds(int seconds) {
    return builder().set(Limit.HANDSHAKE_SECONDS, seconds).build();
  }

  /** Limits the stored events for one filter. */
  public static LimitValues maxLimit(int most) {
    return builder().set(Limit.DEFAULT_LIMIT, most).set(Limit.MAX_LIMIT, most).build();
  }

  /** A builder in which every limit has its default. */
  public static Builder builder() {
    return new Builder(LimitValues.DEFAULT);
  }

  /** Sets some of the limits. */
  public static final class Builder {
    private final Map<Limit, Long> values;

    Builder(LimitValues before) {
      values = new EnumMap<>(before.values());
    }

    public Builder set(Limit limit, long value) {
      values.put(limit, value);
      return this;
    }

    public LimitValues build() {
      return new LimitValues(values);
    }
  }
}
