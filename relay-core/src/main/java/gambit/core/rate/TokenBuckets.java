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
  static final int MOST = 100_000;

  private final long each;
  private final long most;
  private final Cache<K, AtomicLong> fullAt;

  TokenBuckets(Rate rate) {
    this.each = rate.nanosEach();
    this.most = each * rate.burst();
    this.fullAt =
        Caffeine.newBuilder()
            .maximumSize(MOST)
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
    AtomicLong full = fullAt.get(key, unknown -> new AtomicLong(now));
    while (true) {
      long seen = full.get();
      long then = Math.max(seen - now, 0) + each;
      if (then > most) {
        return then - most;
      }
      if (full.compareAndSet(seen, now + then)) {
        return 0;
      }
    }
  }
}
