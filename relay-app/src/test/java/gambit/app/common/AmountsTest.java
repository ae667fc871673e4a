package gambit.app.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AmountsTest {
  @Test
  void oneThingHasASingularNoun() {
    assertThat(Amounts.of(1, "event")).isEqualTo("1 event");
    assertThat(Amounts.of(0, "event")).isEqualTo("0 events");
    assertThat(Amounts.of(12_345, "event")).isEqualTo("12,345 events");
  }

  @Test
  void smallSizesAreInKilobytes() {
    assertThat(Amounts.ofBytes(0)).isEqualTo("0 kB");
    assertThat(Amounts.ofBytes(1)).isEqualTo("1 kB");
    assertThat(Amounts.ofBytes(100 << 10)).isEqualTo("100 kB");
    assertThat(Amounts.ofBytes(3 << 19)).isEqualTo("1.5 MB");
  }
}
