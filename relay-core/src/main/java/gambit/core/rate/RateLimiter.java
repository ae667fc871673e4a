package gambit.core.rate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gambit.core.model.PubKey;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Applies the rate limits of the relay, which may change, to all its clients. Thread-safe. */
public final class RateLimiter {
  private volatile Map<Verb, TokenBuckets<ClientAddress>> byAddress;
  private volatile Map<Verb, TokenBuckets<PubKey>> byPubkey;
  private final LongSupplier nanos;

  /** All buckets are full. The clock is a monotonic one. */
  public RateLimiter(RateLimits limits, LongSupplier nanos) {
    this.byAddress = buckets(limits.byAddress(), Map.of());
    this.byPubkey = buckets(limits.byPubkey(), Map.of());
    this.nanos = nanos;
  }

  private static <K> Map<Verb, TokenBuckets<K>> buckets(
      Map<Verb, Rate> rates, Map<Verb, TokenBuckets<K>> before) {
    Map<Verb, TokenBuckets<K>> buckets = new EnumMap<>(Verb.class);
    rates.forEach(
        (verb, rate) -> {
          TokenBuckets<K> old = before.get(verb);
          if (old != null && old.rate().equals(rate)) {
            buckets.put(verb, old);
          } else if (!rate.isUnlimited()) {
            buckets.put(verb, new TokenBuckets<>(rate));
          }
        });
    return buckets;
  }

  /**
   * Puts other limits in force. The buckets of a rate that changes are full again, the others keep
   * their contents. Any thread, one at a time.
   */
  public void change(RateLimits limits) {
    byAddress = buckets(limits.byAddress(), byAddress);
    byPubkey = buckets(limits.byPubkey(), byPubkey);
  }

  /** Counts an action of an address; returns a reason if it exceeds the limit. */
  public Optional<Reason> objection(Verb verb, ClientAddress address) {
    return objection(secondsToWait(verb, address));
  }

  public Optional<Reason> objection(Verb verb, PubKey pubkey) {
    return objection(take(byPubkey.get(verb), pubkey));
  }

  /** Counts an action; returns the seconds to wait if it exceeds the limit, else 0. */
  public long secondsToWait(Verb verb, ClientAddress address) {
    return take(byAddress.get(verb), address);
  }

  private static Optional<Reason> objection(long seconds) {
    return seconds == 0
        ? Optional.empty()
        : Optional.of(Reason.rateLimited("slow down, wait " + seconds + " s"));
  }

  private <K> long take(@Nullable TokenBuckets<K> buckets, K key) {
    long wait = buckets == null ? 0 : buckets.take(key, nanos.getAsLong());
    return TimeUnit.NANOSECONDS.toSeconds(wait + TimeUnit.SECONDS.toNanos(1) - 1);
  }

  /**
   * Token buckets by key. A bucket is one number, the time at which it will be full, so full
   * buckets need not be kept. Thread-safe.
   *
   * <p>Bound: {@value #MAX_KEYS} keys. Beyond that, the keys used least are forgotten; their
   * buckets are full again.
   */
  static final class TokenBuckets<K> {
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

    /** Takes a token and returns 0, or returns the nanoseconds until one is available. */
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
}
