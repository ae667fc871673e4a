package gambit.core.rate;

import gambit.core.model.PubKey;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Applies the rate limits of the relay, which may change, to all its clients. Thread-safe. */
public final class RateLimiter {
  private volatile Map<Verb, TokenBuckets<ClientAddress>> byAddress;
  private volatile Map<Verb, TokenBuckets<PubKey>> byPubkey;
  private final LongSupplier nanos;

  /**
   * Creates a limiter in which all buckets are full.
   *
   * @param nanos a monotonic clock in nanoseconds
   */
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

  /** Counts an action of a public key; returns a reason if it exceeds the limit. */
  public Optional<Reason> objection(Verb verb, PubKey pubkey) {
    return objection(take(byPubkey.get(verb), pubkey));
  }

  /**
   * Counts an action of an address; returns the seconds to wait if it exceeds the limit, else 0.
   */
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
}
