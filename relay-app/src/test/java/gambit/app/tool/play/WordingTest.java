package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordingTest {

  @Test
  void theTimeToReturnIsToldInMinutesIfTheyAreWhole() {
    assertThat(Wording.within(1)).isEqualTo("within 1 second");
    assertThat(Wording.within(45)).isEqualTo("within 45 seconds");
    assertThat(Wording.within(60)).isEqualTo("within 1 minute");
    assertThat(Wording.within(90)).isEqualTo("within 90 seconds");
    assertThat(Wording.within(120)).isEqualTo("within 2 minutes");
    assertThat(Wording.within(0)).isEqualTo("soon");
  }
}
