package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Hex read and written eight digits at once is that of the JDK, digit by digit. */
class HexTest {
  private static final HexFormat PLAIN = HexFormat.of();

  @Property
  void digitsAreThoseOfThePlainForm(@ForAll @Size(max = 70) byte[] some) {
    byte[] bytes = Arrays.copyOf(some, some.length & -Long.BYTES);
    String expected = PLAIN.formatHex(bytes);
    byte[] out = new byte[3 + expected.length()];
    Hex.put(out, 3, bytes);
    assertThat(ascii(out).substring(3)).isEqualTo(expected);
    assertThat(Hex.bytes(out, 3, expected.length())).isEqualTo(bytes);
  }

  @Property
  void wordsHaveTheDigitsOfThePlainForm(@ForAll long word) {
    byte[] out = new byte[17];
    Hex.putLong(out, 1, word);
    assertThat(ascii(out).substring(1)).isEqualTo(PLAIN.toHexDigits(word));
    assertThat(Hex.group(out, 1)).isEqualTo(word >>> 32);
    assertThat(Hex.group(out, 9)).isEqualTo(word & 0xffffffffL);
  }

  @Test
  void everyByteHasItsDigitsAtEveryPlace() {
    for (int place = 0; place < 8; place++) {
      for (int value = 0; value < 256; value++) {
        byte[] bytes = new byte[8];
        bytes[place] = (byte) value;
        byte[] out = new byte[16];
        Hex.put(out, 0, bytes);
        assertThat(ascii(out)).isEqualTo(PLAIN.formatHex(bytes));
        assertThat(Hex.bytes(out, 0, 16)).isEqualTo(bytes);
      }
    }
  }

  /** One byte after another, which carries between the bytes of a word would reveal. */
  @Test
  void everyByteThatIsNoLowerCaseDigitIsRefusedAtEveryPlace() {
    Random random = new Random(1);
    for (int digits : new int[] {8, 16, 128}) {
      for (int place = 0; place < digits; place++) {
        for (int value = 0; value < 256; value++) {
          byte[] bytes = new byte[digits / 2];
          random.nextBytes(bytes);
          byte[] text = PLAIN.formatHex(bytes).getBytes(StandardCharsets.ISO_8859_1);
          text[place] = (byte) value;
          byte[] read = Hex.bytes(text, 0, digits);
          if (Hex.lowerCaseValue(value) < 0) {
            assertThat(read).isNull();
          } else {
            assertThat(read).isEqualTo(PLAIN.parseHex(ascii(text)));
          }
        }
      }
    }
  }

  @Test
  void keysAreReadAndWritten() {
    byte[] bytes = new byte[32];
    new Random(2).nextBytes(bytes);
    String hex = PLAIN.formatHex(bytes);
    assertThat(EventId.ofHex(hex).bytes()).isEqualTo(bytes);
    assertThat(PubKey.ofHex(new StringBuilder(hex)).hex()).isEqualTo(hex);
    assertThat(EventId.ofHex(PLAIN.withUpperCase().formatHex(bytes)).hex()).isEqualTo(hex);
    for (String wrong :
        new String[] {"", hex.substring(1), hex + "0", hex.substring(1) + "g", "é" + hex}) {
      assertThatThrownBy(() -> EventId.ofHex(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
    char[] notAscii = hex.toCharArray();
    Arrays.fill(notAscii, 5, 6, '\u0130'); // its lower byte is that of a digit
    assertThatThrownBy(() -> PubKey.ofHex(new String(notAscii)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String ascii(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
