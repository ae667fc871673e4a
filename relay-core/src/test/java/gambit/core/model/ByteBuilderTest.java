package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ByteBuilderTest {
  @Property(tries = 500)
  void numberIsWrittenInDecimal(@ForAll long number) {
    ByteBuilder out = new ByteBuilder(8);
    out.addAscii("n=");
    out.addNumber(number);
    assertThat(text(out.finish())).isEqualTo("n=" + number);
    assertThat(ByteBuilder.decimalLength(number)).isEqualTo(Long.toString(number).length());
  }

  @Test
  void fullArrayIsFinishedWithoutACopyAndAnyOtherWithoutItsRest() {
    ByteBuilder full = new ByteBuilder(10);
    full.addAscii("1234567890");
    assertThat(full.finish()).isSameAs(full.array()).hasSize(10);
    ByteBuilder other = new ByteBuilder(10);
    other.addAscii("123456789");
    assertThat(text(other.finish())).isEqualTo("123456789");
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
