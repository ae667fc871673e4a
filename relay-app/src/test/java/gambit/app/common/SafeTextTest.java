package gambit.app.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[2J", // clears a terminal
        "\u001b]0;title\u0007", // sets its title
        "\u009b31m", // an escape sequence in one character
        "\r", // returns to the start of the line
        "\b\u007f",
        "\u202e", // right-to-left override
        "\u2066\u2069\u200f\u200b\ufeff",
        "\u0301\u20dd", // marks, which can be piled up
        "\ud800", // half a surrogate pair
        "\u2028\u2029",
        "\ue000",
      })
  void charactersThatATerminalObeysOrThatHideTextAreReplaced(String hostile) {
    assertThat(SafeText.of("a" + hostile + "z")).matches("a[?\\[\\]0-9;A-Za-z]*z");
  }

  @Test
  void lettersOfAllScriptsAreKept() {
    assertThat(SafeText.of("Grüße, Привет, 你好, ♞ 🙂")).isEqualTo("Grüße, Привет, 你好, ♞ 🙂");
  }

  @Test
  void linesAreJoined() {
    assertThat(SafeText.of("one\ntwo\tthree")).isEqualTo("one two three");
  }

  @Test
  void longTextIsShortened() {
    assertThat(SafeText.of("x".repeat(10_000))).isEqualTo("x".repeat(300) + "...");
  }
}
