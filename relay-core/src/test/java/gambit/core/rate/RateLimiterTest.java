package gambit.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.PubKey;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rate limits and the waits that clients are told, with a clock that the test advances. */
class RateLimiterTest {
  private static final ClientAddress HERE = ClientAddress.of(InetAddress.getLoopbackAddress());
  private static final PubKey ALICE = PubKey.ofHex("a".repeat(64));
  private static final PubKey BOB = PubKey.ofHex("b".repeat(64));

  private long now;

  @Test
  void waitBelowOneSecondIsReportedAsOneSecond() {
    Map<Verb, Rate> rate = Map.of(Verb.EVENT, Rate.parse("100/10s")); // a token each 100 ms
    RateLimiter rates = new RateLimiter(new RateLimits(rate, rate), () -> now);
    for (int i = 0; i < 100; i++) {
      assertThat(rates.objection(Verb.EVENT, HERE)).isEmpty();
      assertThat(rates.objection(Verb.EVENT, ALICE)).isEmpty();
    }
    Optional<Reason> wait = Optional.of(Reason.rateLimited("slow down, wait 1 s"));
    assertThat(rates.objection(Verb.EVENT, HERE)).isEqualTo(wait);
    assertThat(rates.objection(Verb.EVENT, ALICE)).isEqualTo(wait);
    assertThat(rates.secondsToWait(Verb.EVENT, HERE)).isEqualTo(1);
    now += TimeUnit.MILLISECONDS.toNanos(100);
    assertThat(rates.objection(Verb.EVENT, HERE)).isEmpty();
    assertThat(rates.objection(Verb.EVENT, HERE)).isEqualTo(wait);
  }

  @Test
  void waitIsRoundedUpToWholeSeconds() {
    Map<Verb, Rate> rate = Map.of(Verb.REQ, Rate.parse("1/3s"));
    RateLimiter rates = new RateLimiter(new RateLimits(rate, Map.of()), () -> now);
    assertThat(rates.secondsToWait(Verb.REQ, HERE)).isZero();
    assertThat(rates.secondsToWait(Verb.REQ, HERE)).isEqualTo(3);
    now += TimeUnit.SECONDS.toNanos(1) - 1;
    assertThat(rates.secondsToWait(Verb.REQ, HERE)).isEqualTo(3);
    now += 1;
    assertThat(rates.secondsToWait(Verb.REQ, HERE)).isEqualTo(2);
  }

  @Test
  void verbsAndKeysAreLimitedSeparatelyAndVerbsWithoutARateAreUnlimited() {
    Map<Verb, Rate> rates = Map.of(Verb.EVENT, Rate.parse("1/h"), Verb.COUNT, Rate.UNLIMITED);
    RateLimiter byKey = new RateLimiter(new RateLimits(Map.of(), rates), () -> now);
    assertThat(byKey.objection(Verb.EVENT, ALICE)).isEmpty();
    assertThat(byKey.objection(Verb.EVENT, ALICE)).isPresent();
    assertThat(byKey.objection(Verb.EVENT, BOB)).isEmpty();
    for (int i = 0; i < 3; i++) {
      assertThat(byKey.objection(Verb.COUNT, ALICE)).isEmpty();
      assertThat(byKey.objection(Verb.REQ, ALICE)).isEmpty();
      assertThat(byKey.objection(Verb.EVENT, HERE)).isEmpty();
    }
  }
}
