package gambit.core.limit;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A value for each {@link Limit}. Immutable. */
public record LimitValues(Map<Limit, Long> values) {
  public static final LimitValues DEFAULT =
      new LimitValues(
          Stream.of(Limit.values()).collect(Collectors.toMap(limit -> limit, Limit::byDefault)));

  /** Fails when a value is missing or not positive, or the default limit exceeds the maximum. */
  public LimitValues {
    values = Collections.unmodifiableMap(new EnumMap<>(values));
    for (Limit limit : Limit.values()) {
      limit.require(values.getOrDefault(limit, -1L));
    }
    if (values.getOrDefault(Limit.DEFAULT_LIMIT, 0L) > values.getOrDefault(Limit.MAX_LIMIT, 0L)) {
      throw new IllegalArgumentException("default_limit must not be above max_limit");
    }
  }

  /** The value of a limit that is not in {@link Limit.Unit#TOTAL_BYTES}. */
  public int get(Limit limit) {
    return Math.toIntExact(getLong(limit));
  }

  public long getLong(Limit limit) {
    return Objects.requireNonNull(values.get(limit));
  }
}
