package gambit.core.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing of rates in settings. */
class RateTest {

  @ParameterizedTest
  @CsvSource({
    "1/s, 1, 1",
    "60/m, 60, 60",
    "60/1m, 60, 60",
    "5/h, 5, 3600",
    "100/10s, 100, 10",
    "7/90m, 7, 5400",
    "999999999/999999h, 999999999, 3599996400"
  })
  void numberPerTimeIsParsed(String text, int burst, long seconds) {
    assertThat(Rate.parse(text)).isEqualTo(new Rate(burst, Duration.ofSeconds(seconds)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0/s", "0/10m"})
  void zeroIsUnlimited(String text) {
    assertThat(Rate.parse(text).isUnlimited()).isTrue();
    assertThat(Rate.parse("1/h").isUnlimited()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "/s",
        "1/",
        "-1/s",
        "1/0s",
        "1/-1s",
        "1.5/s",
        "1/s/s",
        "1 /s",
        " 1/s",
        "1/S",
        "1/d",
        "1000000000/s",
        "1/1000000s",
        "ten/s",
        "٣/s"
      })
  void malformedRateIsRefusedAndQuoted(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rate.parse(text))
        .withMessageContaining("\"" + text + "\"");
  }

  @Test
  void tokenIsRefilledAfterAnEqualShareOfThePeriod() {
    assertThat(Rate.parse("60/m").nanosPerToken()).isEqualTo(1_000_000_000);
    assertThat(Rate.parse("4/s").nanosPerToken()).isEqualTo(250_000_000);
    assertThat(Rate.parse("999999999/s").nanosPerToken()).isPositive();
  }
}
