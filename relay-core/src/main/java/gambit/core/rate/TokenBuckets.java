package gambit.core.rate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A token bucket for each of many keys. A bucket is one number: when it will be full again; so a
 * full one need not be kept. Thread-safe.
 *
 * <p>Bound: {@value #MOST} keys. Beyond it those are forgotten, and so begin anew, that have come
 * least often of late.
 */
final class TokenBuckets<K> {
  static final int MAX_KEYS = 100_000;

  private final long nanosPerToken;
  private final long nanosToFill;
  private final Cache<K, AtomicLong> fullAtNanos;

  TokenBuckets(Rate rate) {
    this.nanosPerToken = rate.nanosPerToken();
    this.nanosToFill = nanosPerToken * rate.burst();
    this.fullAtNanos =
        Caffeine.newBuilder()
            .maximumSize(MAX_KEYS)
            .expireAfterAccess(rate.period().plus(Duration.ofSeconds(1)))
            .executor(Runnable::run)
            .build();
  }

  /**
   * Takes a token, or tells in how many nanoseconds there will be one.
   *
   * @param now nanoseconds of a clock that only goes forward
   * @return 0 when a token was taken
   */
  long take(K key, long now) {
    AtomicLong fullAt = fullAtNanos.get(key, unknown -> new AtomicLong(now));
    while (true) {
      long seen = fullAt.get();
      long untilFull = Math.max(seen - now, 0) + nanosPerToken;
      if (untilFull > nanosToFill) {
        return untilFull - nanosToFill;
      }
      if (fullAt.compareAndSet(seen, now + untilFull)) {
        return 0;
      }
    }
  }
}
