package gambit.core.rate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Token buckets by key. A bucket is one number, the time at which it will be full, so full buckets
 * need not be kept. Thread-safe.
 *
 * <p>Bound: {@value #MAX_KEYS} keys. Beyond that, the keys used least are forgotten; their buckets
 * are full again.
 */
final class TokenBuckets<K> {
  static final int MAX_KEYS = 100_000;

  private final Rate rate;
  private final long nanosPerToken;
  private final long nanosToFill;
  private final Cache<K, AtomicLong> fullAtNanos;

  TokenBuckets(Rate rate) {
    this.rate = rate;
    this.nanosPerToken = rate.nanosPerToken();
    this.nanosToFill = nanosPerToken * rate.burst();
    this.fullAtNanos =
        Caffeine.newBuilder()
            .maximumSize(MAX_KEYS)
            .expireAfterAccess(rate.period().plus(Duration.ofSeconds(1)))
            .executor(Runnable::run)
            .build();
  }

  Rate rate() {
    return rate;
  }

  /**
   * Takes a token, or returns the nanoseconds until one is available.
   *
   * @param now time of a monotonic clock in nanoseconds
   * @return 0 if a token was taken
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
