package gambit.chess.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretHashTest {
  private static SecretHash of(String secret) {
    return SecretHash.of(Sha256.of(secret));
  }

  @Test
  void secretIsRecognizedByItsHash() {
    for (String secret : new String[] {"a", " ~", "x".repeat(64)}) {
      assertThat(of(secret).isOf(secret)).isTrue();
      assertThat(of(secret).isOf("b")).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\t", "\u007f", "\u00e9", "\ud83d\ude00"})
  void secretThatIsNotPrintableAsciiIsNone(String text) {
    assertThat(of(text).isOf(text)).isFalse();
  }

  @Test
  void secretOfMoreThanSixtyFourCharactersIsNone() {
    String text = "x".repeat(65);
    assertThat(of(text).isOf(text)).isFalse();
  }

  @Test
  void hashIsTheSameInBytesAndInHex() {
    assertThat(SecretHash.of(of("friend").bytes()))
        .isEqualTo(
            new SecretHash("cde48537ca2c28084ff560826d0e6388b7c57a51497a6cb56f397289e52ff41b"));
  }
}
