package gambit.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.rate.RateLimiter.TokenBuckets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares buckets with a model that keeps every token, with a clock that the test advances. */
class TokenBucketsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void burstIsGrantedAtOnceAndThenOneTokenAtATime() {
    TokenBuckets<String> buckets = new TokenBuckets<>(Rate.parse("4/2s"));
    for (int i = 0; i < 4; i++) {
      assertThat(buckets.take("a", 0)).isZero();
    }
    assertThat(buckets.take("a", 0)).isEqualTo(SECOND / 2);
    assertThat(buckets.take("a", SECOND / 2 - 1)).isEqualTo(1);
    assertThat(buckets.take("a", SECOND / 2)).isZero();
    assertThat(buckets.take("a", SECOND / 2)).isEqualTo(SECOND / 2);
    assertThat(buckets.take("b", SECOND / 2)).as("bucket of another key").isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -5_000_000_000L, Long.MAX_VALUE - 1_000_000_000L, Long.MIN_VALUE})
  void clockMayStartAnywhereAndOverflow(long begin) {
    TokenBuckets<String> buckets = new TokenBuckets<>(Rate.parse("2/10s"));
    assertThat(buckets.take("a", begin)).isZero();
    assertThat(buckets.take("a", begin)).isZero();
    assertThat(buckets.take("a", begin + 2 * SECOND)).isEqualTo(3 * SECOND);
    assertThat(buckets.take("a", begin + 5 * SECOND)).isZero();
    assertThat(buckets.take("a", begin + 1000 * SECOND)).isZero();
  }

  @Property(tries = 150)
  void grantsAndWaitsEqualThoseOfTheModel(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 20) int burst,
      @ForAll @IntRange(min = 1, max = 60) int seconds) {
    Random random = new Random(seed);
    Rate rate = Rate.parse(burst + "/" + seconds + "s");
    TokenBuckets<Integer> buckets = new TokenBuckets<>(rate);
    long now = random.nextLong();
    Model[] models = {new Model(rate, now), new Model(rate, now), new Model(rate, now)};
    for (int i = 0; i < 300; i++) {
      int key = random.nextInt(models.length);
      long told = buckets.take(key, now);
      assertThat(told).isEqualTo(models[key].take(now));
      if (told > 0 && random.nextBoolean()) {
        assertThat(buckets.take(key, now + told - 1))
            .as("just before the returned time")
            .isEqualTo(1);
        now += told;
        assertThat(buckets.take(key, now)).as("at the returned time").isZero();
        models[key].take(now);
      }
      now += random.nextInt(4) == 0 ? random.nextLong(2 * seconds * SECOND) : random.nextLong(100);
    }
  }

  /** A bucket that keeps the refill time of each taken token. */
  private static final class Model {
    private final long nanosPerToken;
    private final Deque<Long> refillTimes = new ArrayDeque<>();
    private int tokens;
    private long last;

    Model(Rate rate, long now) {
      this.nanosPerToken = rate.nanosPerToken();
      this.tokens = rate.burst();
      this.last = now;
    }

    long take(long now) {
      while (!refillTimes.isEmpty() && refillTimes.peek() - now <= 0) {
        last = refillTimes.remove();
        tokens++;
      }
      if (tokens == 0) {
        return refillTimes.element() - now;
      }
      tokens--;
      Long before = refillTimes.peekLast();
      refillTimes.add((before == null ? now : before) + nanosPerToken);
      return 0;
    }
  }

  @Property(tries = 50)
  void grantsNeverExceedTheBurstAndTheTokensRefilledSince(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 1000) int burst) {
    Random random = new Random(seed);
    Rate rate = Rate.parse(burst + "/7s");
    TokenBuckets<String> buckets = new TokenBuckets<>(rate);
    long now = 0;
    long granted = 0;
    for (int i = 0; i < 5000; i++) {
      granted += buckets.take("a", now) == 0 ? 1 : 0;
      assertThat(granted).isLessThanOrEqualTo(burst + now / rate.nanosPerToken());
      now += random.nextLong(2 * rate.nanosPerToken());
    }
    assertThat(granted).as("frequent requests get the refilled tokens").isGreaterThan(burst);
  }

  @Test
  void concurrentTakesNeverExceedTheBurst() throws InterruptedException {
    TokenBuckets<String> buckets = new TokenBuckets<>(Rate.parse("1000/h"));
    AtomicInteger granted = new AtomicInteger();
    CountDownLatch over = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      new Thread(
              () -> {
                for (int j = 0; j < 1000; j++) {
                  granted.addAndGet(buckets.take("a", 0) == 0 ? 1 : 0);
                }
                over.countDown();
              })
          .start();
    }
    assertThat(over.await(2, TimeUnit.MINUTES)).isTrue();
    assertThat(granted).hasValue(1000);
  }

  @Test
  void bucketsBeyondTheMaximumAreForgottenAndStartFull() {
    TokenBuckets<Integer> buckets = new TokenBuckets<>(Rate.parse("1/h"));
    int keys = 3 * TokenBuckets.MAX_KEYS;
    assertThat(granted(buckets, keys)).isEqualTo(keys);
    assertThat(granted(buckets, keys)).isGreaterThanOrEqualTo(keys - TokenBuckets.MAX_KEYS);
    TokenBuckets<Integer> few = new TokenBuckets<>(Rate.parse("1/h"));
    assertThat(granted(few, TokenBuckets.MAX_KEYS / 2)).isPositive();
    assertThat(granted(few, TokenBuckets.MAX_KEYS / 2)).as("while all are kept").isZero();
  }

  private static long granted(TokenBuckets<Integer> buckets, int keys) {
    return IntStream.range(0, keys).filter(key -> buckets.take(key, 0) == 0).count();
  }
}
